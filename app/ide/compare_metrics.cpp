// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare_metrics.h"

#include "toolchain/measured_figures.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpwright {
namespace {

const QString nothing = QStringLiteral("—");

QString words(const char *text) {
    return QCoreApplication::translate("CompareMetrics", text);
}

// Of two evaluations: why their times may not be set against each other; empty: they may.
QString whyNotComparable(const MeasuredFigures &left, const MeasuredFigures &right) {
    if (left.device.name != right.device.name || left.device.kind != right.device.kind)
        return words("measured on different devices");
    if (left.precision != right.precision)
        return words("%1 against %2").arg(left.precision, right.precision);
    return {};
}

ComparedMetric timeMetric(const ArmFigures *left, const ArmFigures *right, const QString &whyNot) {
    ComparedMetric metric{words("Time"), nothing, nothing, {}, {}, false};
    const ArmFigures *finer = left == nullptr ? right : left;
    if (left != nullptr && right != nullptr && right->medianMicroseconds < left->medianMicroseconds)
        finer = right;
    if (finer == nullptr) {
        metric.remark = words("not measured");
        return metric;
    }
    const TimeScale scale =
        timeScaleOf(finer->medianMicroseconds, finer->lowMicroseconds, finer->highMicroseconds);
    const auto text = [&scale](const ArmFigures &arm) {
        return scale.withSpread(arm.medianMicroseconds, arm.lowMicroseconds, arm.highMicroseconds);
    };
    if (left != nullptr)
        metric.left = text(*left);
    if (right != nullptr)
        metric.right = text(*right);
    if (left == nullptr || right == nullptr) {
        metric.remark = words("one side was not measured");
    } else if (!whyNot.isEmpty()) {
        metric.remark = whyNot;
    } else {
        // The farthest ends: it holds zero exactly where the two intervals overlap.
        const double low = right->lowMicroseconds - left->highMicroseconds;
        const double high = right->highMicroseconds - left->lowMicroseconds;
        metric.delta = scale.difference(right->medianMicroseconds - left->medianMicroseconds, low, high);
        metric.isNoise = isNoise(low, high);
    }
    return metric;
}

ComparedMetric speedUpMetric(const std::optional<SpeedUp> &left, const std::optional<SpeedUp> &right,
                             const QString &whyNot) {
    ComparedMetric metric{words("Speed-up"), nothing, nothing, {}, {}, false};
    if (left)
        metric.left = factorText(left->value, left->low, left->high).both();
    if (right)
        metric.right = factorText(right->value, right->low, right->high).both();
    const auto arm = [](const std::optional<SpeedUp> &speedUp) {
        return armLabel(speedUp->arm);
    };
    if (!left && !right) {
        metric.remark = words("not measured");
        return metric;
    }
    if (!left || !right) {
        metric.name = words("Speed-up over %1").arg(left ? arm(left) : arm(right));
        metric.remark = words("one side was not measured");
        return metric;
    }
    if (left->arm != right->arm) {
        metric.remark = words("over %1, over %2").arg(arm(left), arm(right));
        return metric;
    }
    metric.name = words("Speed-up over %1").arg(arm(left));
    if (!whyNot.isEmpty()) {
        metric.remark = whyNot;
        return metric;
    }
    metric.isNoise = isNoise(right->low - left->high, right->high - left->low);
    const double delta = right->value - left->value;
    metric.delta =
        (metric.isNoise ? QStringLiteral("≈ ") : QString()) + signedText(delta, 2) + QStringLiteral("×");
    return metric;
}

// What the kernels of one evaluation take; empty where nothing was compiled for a GPU.
struct Resources {
    int registers = 0;
    int spillBytes = 0;
    int sharedBytes = 0;
};

std::optional<Resources> resourcesOf(const ComparedSide &side) {
    if (!side.evaluation || side.evaluation->compile.kernels.empty())
        return std::nullopt;
    Resources most;
    for (const KernelResources &kernel : side.evaluation->compile.kernels) {
        most.registers = std::max(most.registers, kernel.registers);
        most.spillBytes += kernel.spillLoadBytes + kernel.spillStoreBytes;
        most.sharedBytes = std::max(most.sharedBytes, kernel.staticSharedBytes);
    }
    return most;
}

ComparedMetric countMetric(const QString &name, const QString &remark, const QString &unit,
                           const std::optional<Resources> &left, const std::optional<Resources> &right,
                           int Resources::*member) {
    ComparedMetric metric{name, nothing, nothing, {}, remark, false};
    if (left)
        metric.left = numberText((*left).*member) + unit;
    if (right)
        metric.right = numberText((*right).*member) + unit;
    if (left && right)
        metric.delta = signedText((*right).*member - (*left).*member) + unit;
    else
        metric.remark = left || right ? words("one side has no kernel report") : words("no kernel report");
    return metric;
}

} // namespace

std::vector<ComparedMetric> comparedMetrics(const ComparedSide &left, const ComparedSide &right) {
    const auto figures = [](const ComparedSide &side) {
        return side.evaluation ? measuredFigures(*side.evaluation) : MeasuredFigures();
    };
    const MeasuredFigures before = figures(left);
    const MeasuredFigures after = figures(right);
    const QString whyNot = whyNotComparable(before, after);
    const std::optional<Resources> had = resourcesOf(left);
    const std::optional<Resources> has = resourcesOf(right);
    const QString bytes = QStringLiteral(" B");
    return {timeMetric(before.candidate(), after.candidate(), whyNot),
            speedUpMetric(before.sameClass, after.sameClass, whyNot),
            countMetric(words("Registers"), words("largest kernel"), {}, had, has, &Resources::registers),
            countMetric(words("Spills"), words("all kernels"), bytes, had, has, &Resources::spillBytes),
            countMetric(words("Shared memory"), words("static, largest kernel"), bytes, had, has,
                        &Resources::sharedBytes)};
}

} // namespace warpwright
