// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/said_difference.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

// As a person reads it, so that "−5.4 ± 5.4" is none.
bool holdsZeroAsWritten(const TimeScale &scale, double value, double spread) {
    const double step = scale.unitMicroseconds / std::pow(10, scale.decimals);
    return std::round(std::abs(value) / step) <= std::round(spread / step);
}

/// Of right against left, «±» the farther end, from the farthest ends of both.
struct Difference {
    double value = 0;
    double spread = 0;
};

template <typename Arm>
Difference differenceOf(const Arm &left, const Arm &right) {
    const double value = right.medianMicroseconds - left.medianMicroseconds;
    return {value, std::max(value - (right.lowMicroseconds - left.highMicroseconds),
                            right.highMicroseconds - left.lowMicroseconds - value)};
}

} // namespace

QString noDifferenceWords() {
    return QStringLiteral("no difference measured");
}

SaidDifference saidDifference(const TimeScale &scale, const ArmFigures &left, const ArmFigures &right,
                              const std::optional<SpeedUp> &ratio) {
    const auto [value, spread] = differenceOf(left, right);
    const bool holdsZero = holdsZeroAsWritten(scale, value, spread);
    if (ratio && (ratio->low > 1 || ratio->high < 1) && holdsZero)
        return {factorText(ratio->value, ratio->low, ratio->high).both(), false};
    const bool isUnsure = ratio ? ratio->low <= 1 && ratio->high >= 1 : holdsZero;
    const QString text = scale.difference(value, value - spread, value + spread);
    const QChar about(0x2248);
    return {isUnsure && !text.startsWith(about) ? about + QLatin1Char(' ') + text : text, isUnsure};
}

bool isSaidNoise(const ArmTiming &left, const ArmTiming &right) {
    const ArmTiming &finer = right.medianMicroseconds < left.medianMicroseconds ? right : left;
    const auto [value, spread] = differenceOf(left, right);
    return holdsZeroAsWritten(
        timeScaleOf(finer.medianMicroseconds, finer.lowMicroseconds, finer.highMicroseconds), value, spread);
}

std::optional<SpeedUp> ratioOf(const std::optional<SpeedUp> &speedUp, bool isLeftArm) {
    if (!speedUp || isLeftArm || speedUp->low <= 0)
        return speedUp;
    return SpeedUp{1 / speedUp->value, 1 / speedUp->high, 1 / speedUp->low, speedUp->arm};
}

QString noCallDifferenceWords() {
    return QStringLiteral("of the call no difference was measured");
}

QString whyOnlyBaselineMoved(const ArmFigures *before, const ArmFigures *after) {
    if (before == nullptr || after == nullptr)
        return noCallDifferenceWords();
    return QStringLiteral("%1; %2 itself took %3, then %4")
        .arg(noCallDifferenceWords(), after->label, timeText(before->medianMicroseconds),
             timeText(after->medianMicroseconds));
}

} // namespace warpwright
