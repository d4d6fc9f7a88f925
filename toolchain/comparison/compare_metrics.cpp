// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/compare_metrics.h"

#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/evaluation/said_difference.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace warpwright {
namespace {

const QString nothing = QStringLiteral("—");

QString words(const char *text) {
    return QCoreApplication::translate("CompareMetrics", text);
}

// Of two evaluations: why their times may not be set against each other; empty: they may.
QString whyNoDifference(const MeasuredFigures &left, const MeasuredFigures &right) {
    if (left.device.name != right.device.name || left.device.kind != right.device.kind)
        return words("measured on different devices");
    if (left.precision != right.precision)
        return words("%1 against %2").arg(left.precision, right.precision);
    return {};
}

QString whyNoDifference(const EvaluationSummary &left, const EvaluationSummary &right) {
    const ExercisedFiles files = unexercisedFiles(left, right);
    return files.empty() ? whyNotComparable(left, right) : words("not exercised: the same code ran");
}

// `leftScale`, `rightScale`: as the check of that side writes its times everywhere. `ratio`: of one check.
ComparedMetric timeMetric(const ArmFigures *left, const TimeScale &leftScale, const ArmFigures *right,
                          const TimeScale &rightScale, const QString &whyNot,
                          const std::optional<SpeedUp> &ratio) {
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
    const auto text = [](const ArmFigures &arm, const TimeScale &own) {
        return own.withSpread(arm.medianMicroseconds, arm.lowMicroseconds, arm.highMicroseconds);
    };
    if (left != nullptr)
        metric.left = text(*left, leftScale);
    if (right != nullptr)
        metric.right = text(*right, rightScale);
    if (left == nullptr || right == nullptr) {
        metric.remark = words("one side was not measured");
    } else if (!whyNot.isEmpty()) {
        metric.remark = whyNot;
    } else {
        const SaidDifference said = saidDifference(scale, *left, *right, ratio);
        metric.delta = said.text;
        metric.isNoise = said.isNoise;
        metric.remark = words("each in a check of its own");
    }
    return metric;
}

// `whyNoise`: it is, whatever its interval says; empty: that decides.
ComparedMetric speedUpMetric(const std::optional<SpeedUp> &left, const std::optional<SpeedUp> &right,
                             const QString &whyNot, const QString &whyNoise) {
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
    const bool meets = isNoise(right->low - left->high, right->high - left->low);
    metric.isNoise = meets || !whyNoise.isEmpty();
    if (metric.isNoise)
        metric.remark = meets ? words("the intervals meet") : whyNoise;
    const double delta = right->value - left->value;
    metric.delta =
        (metric.isNoise ? QStringLiteral("≈ ") : QString()) + signedText(delta, 2) + QStringLiteral("×");
    return metric;
}

using Kernels = std::vector<KernelResources>;

// None where nothing was compiled for a GPU.
const Kernels *kernelsOf(const ComparedSide &side) {
    return side.evaluation && !side.isBaseline() && !side.evaluation->compile.kernels.empty()
               ? &side.evaluation->compile.kernels
               : nullptr;
}

// A baseline is what others are faster than.
std::optional<SpeedUp> speedUpOf(const ComparedSide &side, const MeasuredFigures &figures) {
    return side.isBaseline() ? std::nullopt : figures.sameClass;
}

int spillsOf(const KernelResources &kernel) {
    return kernel.spillLoadBytes + kernel.spillStoreBytes;
}

int sumOf(const Kernels &kernels, int (*value)(const KernelResources &)) {
    return std::accumulate(kernels.begin(), kernels.end(), 0,
                           [value](int sum, const KernelResources &kernel) { return sum + value(kernel); });
}

// Of the kernel that changed most, where one did; else of the largest: a change must not hide behind a larger
// kernel that stayed as it was. `sums`: of all kernels together.
ComparedMetric countMetric(const QString &name, const QString &unit, const Kernels *left,
                           const Kernels *right, int (*value)(const KernelResources &), bool sums) {
    ComparedMetric metric{name, nothing, nothing, {}, {}, false};
    const auto text = [&unit](int count) {
        return numberText(count) + unit;
    };
    const auto largest = [value](const Kernels &kernels) {
        return std::max_element(kernels.begin(), kernels.end(),
                                [value](const KernelResources &one, const KernelResources &other) {
                                    return value(one) < value(other);
                                });
    };
    if (left == nullptr || right == nullptr) {
        if (const Kernels *only = left != nullptr ? left : right; only != nullptr) {
            (left != nullptr ? metric.left : metric.right) =
                text(sums ? sumOf(*only, value) : value(*largest(*only)));
            metric.remark = words("one side has no kernel report");
        } else {
            metric.remark = words("no kernel report");
        }
        return metric;
    }
    int before = value(*largest(*left));
    int after = value(*largest(*right));
    metric.remark = words("largest kernel");
    if (sums) {
        before = sumOf(*left, value);
        after = sumOf(*right, value);
        metric.remark = words("all kernels");
    } else {
        int most = 0;
        for (const KernelResources &was : *left) {
            const auto is = std::find_if(right->begin(), right->end(), [&was](const KernelResources &kernel) {
                return kernel.name == was.name;
            });
            if (is == right->end() || std::abs(value(*is) - value(was)) <= most)
                continue;
            most = std::abs(value(*is) - value(was));
            before = value(was);
            after = value(*is);
            metric.remark = shortKernelName(was.name);
        }
    }
    metric.left = text(before);
    metric.right = text(after);
    metric.delta = signedText(after - before) + unit;
    return metric;
}

} // namespace

QString whyTimesDoNotCompare(const ComparedSide &left, const ComparedSide &right) {
    if (!left.evaluation || !right.evaluation)
        return {};
    if (left.isStale || right.isStale)
        return words("measured before the last edits");
    if (!left.evaluation->id.isEmpty() && left.evaluation->id == right.evaluation->id)
        return {};
    const QString whyNot =
        whyNoDifference(measuredFigures(*left.evaluation), measuredFigures(*right.evaluation));
    return whyNot.isEmpty() ? whyNoDifference(summaryOf(*left.evaluation), summaryOf(*right.evaluation))
                            : whyNot;
}

std::vector<ComparedMetric> comparedMetrics(const ComparedSide &left, const ComparedSide &right) {
    const auto figures = [](const ComparedSide &side) {
        return side.evaluation ? measuredFigures(*side.evaluation) : MeasuredFigures();
    };
    const MeasuredFigures before = figures(left);
    const MeasuredFigures after = figures(right);
    const QString whyNot = whyTimesDoNotCompare(left, right);
    const Kernels *had = kernelsOf(left);
    const Kernels *has = kernelsOf(right);
    const QString bytes = QStringLiteral(" B");
    const auto registers = [](const KernelResources &kernel) {
        return kernel.registers;
    };
    const auto shared = [](const KernelResources &kernel) {
        return kernel.staticSharedBytes;
    };
    std::optional<SpeedUp> ratio;
    if (!before.id.isEmpty() && before.id == after.id && left.isBaseline() != right.isBaseline())
        ratio = ratioOf(after.speedUpOver(left.isBaseline() ? left.arm : right.arm), left.isBaseline());
    const ComparedMetric time =
        timeMetric(before.arm(left.arm), before.times, after.arm(right.arm), after.times, whyNot, ratio);
    const auto was = speedUpOf(left, before);
    const auto is = speedUpOf(right, after);
    const QString whyNoise = time.isNoise && was && is
                                 ? whyOnlyBaselineMoved(before.arm(was->arm), after.arm(is->arm))
                                 : QString();
    std::vector<ComparedMetric> metrics{
        time, speedUpMetric(was, is, whyNot, whyNoise),
        countMetric(words("Registers"), {}, had, has, registers, false),
        countMetric(words("Spills"), bytes, had, has, spillsOf, true),
        countMetric(words("Static shared memory"), bytes, had, has, shared, false)};
    if (left.arm != right.arm && !metrics[0].delta.isEmpty())
        metrics[0].remark = words("in turn, in one check");
    if (left.isStale || right.isStale) {
        // A difference to numbers of another text would look like one of this text.
        for (ComparedMetric &metric : metrics) {
            metric.delta.clear();
            metric.isNoise = false;
            metric.remark = words("measured before the last edits");
        }
    }
    return metrics;
}

} // namespace warpwright
