// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/prediction_outcome.h"

#include "agent/review/bet_first.h"
#include "toolchain/base/figures.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double grantedShare = 0.1;

} // namespace

std::optional<ExpectedRange> expectedRange(const Prediction &prediction) {
    if (!prediction.timeRatio)
        return std::nullopt;
    return ExpectedRange{prediction.low.value_or(*prediction.timeRatio * (1 - grantedShare)),
                         prediction.high.value_or(*prediction.timeRatio * (1 + grantedShare)),
                         !prediction.low || !prediction.high};
}

PredictionOutcome outcomeOf(const Prediction &prediction, const TimeRatio &measured) {
    const std::optional<ExpectedRange> range = expectedRange(prediction);
    if (!range)
        return PredictionOutcome::Open;
    if (measured.value >= range->low && measured.value <= range->high)
        return PredictionOutcome::Hit;
    return measured.low <= range->high && measured.high >= range->low ? PredictionOutcome::Undecided
                                                                      : PredictionOutcome::Outside;
}

PredictionOutcome outcomeOf(const LedgerRow &row, const Prediction &prediction) {
    if (!prediction.timeRatio || !mayShowNumbers(row) || row.isUnexercised || !row.verdict)
        return PredictionOutcome::Open;
    if (row.measured)
        return outcomeOf(prediction, *row.measured);
    switch (*row.verdict) {
    case Verdict::Wrong:
    case Verdict::Rejected:
    case Verdict::RunFailed:
    case Verdict::Impossible:
    case Verdict::BuildFailed:
        return PredictionOutcome::Failed;
    case Verdict::Pass:
    case Verdict::TaskFailed:
    case Verdict::Usage:
    case Verdict::Environment:
    case Verdict::NotRun:
    case Verdict::Inconclusive:
    case Verdict::Unverifiable:
    case Verdict::Cancelled:
        break;
    }
    return PredictionOutcome::Open;
}

QString outcomeWord(PredictionOutcome outcome) {
    switch (outcome) {
    case PredictionOutcome::Open:
        break;
    case PredictionOutcome::Hit:
        return QStringLiteral("hit");
    case PredictionOutcome::Undecided:
        return QStringLiteral("undecided");
    case PredictionOutcome::Outside:
        return QStringLiteral("outside");
    case PredictionOutcome::Failed:
        return QStringLiteral("failed");
    }
    return QStringLiteral("open");
}

QString outcomeText(const Prediction &prediction, const TimeRatio &measured) {
    const PredictionOutcome outcome = outcomeOf(prediction, measured);
    const QString word = outcomeWord(outcome);
    if (outcome == PredictionOutcome::Undecided)
        return QStringLiteral("%1, for the interval is %2")
            .arg(word, rangeText({measured.low, measured.high}));
    const std::optional<ExpectedRange> range = expectedRange(prediction);
    // Without it «hit» would read as a gain that came.
    const bool isEitherWay = range && !range->isGranted && range->low < 1 && range->high > 1;
    return outcome == PredictionOutcome::Hit && isEitherWay
               ? QStringLiteral("%1, of a range that holds faster and slower").arg(word)
               : word;
}

QString judgedText(const Prediction &prediction, const TimeRatio &measured) {
    const std::optional<ExpectedRange> range = expectedRange(prediction);
    if (!range)
        return {};
    return QStringLiteral("%1 (%2%3), measured %4%5: %6")
        .arg(timesFasterText(*prediction.timeRatio), rangeText(*range),
             range->isGranted ? QStringLiteral(", ±10 % granted") : QString(),
             timesFasterText(measured.value),
             measured.way == TimeRatio::Way::SideBySide ? QStringLiteral(" side by side") : QString(),
             outcomeText(prediction, measured));
}

std::optional<ArmTiming> expectedTime(const Prediction &prediction, std::optional<double> otherwise) {
    const std::optional<double> from =
        prediction.beforeMicroseconds ? prediction.beforeMicroseconds : otherwise;
    if (!prediction.timeRatio || !from)
        return std::nullopt;
    ArmTiming timing;
    timing.medianMicroseconds = *prediction.timeRatio * *from;
    timing.lowMicroseconds = prediction.low.value_or(*prediction.timeRatio) * *from;
    timing.highMicroseconds = prediction.high.value_or(*prediction.timeRatio) * *from;
    return timing;
}

QString takenText(const LedgerRow &row) {
    if (row.isBesideCode && row.hunks > 0)
        return QStringLiteral("comments alone were taken");
    if (row.taken < row.hunks)
        return QStringLiteral("partly applied: %1 of %2")
            .arg(row.taken)
            .arg(countText(row.hunks, QStringLiteral("hunk")));
    return row.edited > 0 ? QStringLiteral("applied with your edits") : QString();
}

QString timesFasterText(double ratio) {
    return QStringLiteral("%1×").arg(1 / ratio, 0, 'f', 2);
}

QString rangeText(const ExpectedRange &range) {
    return QStringLiteral("%1–%2×").arg(1 / range.high, 0, 'f', 2).arg(1 / range.low, 0, 'f', 2);
}

QString hitRuleText() {
    return QStringLiteral(
        "A hit: the measured factor lies in the expected range; undecided: only its 95 % "
        "interval reaches into it. Where no range was given, ±10 % of the time is granted.");
}

bool areApart(double microseconds, double otherMicroseconds) {
    return std::max(microseconds, otherMicroseconds) > 1.1 * std::min(microseconds, otherMicroseconds);
}

bool hasOtherBase(const Prediction &prediction, std::optional<double> beforeMicroseconds) {
    return prediction.timeRatio && prediction.beforeMicroseconds && beforeMicroseconds &&
           *beforeMicroseconds > 0 && areApart(*prediction.beforeMicroseconds, *beforeMicroseconds);
}

QString baseTimeText(double microseconds) {
    TimeScale scale = timeScaleOf(microseconds);
    scale.decimals = std::max(0, scale.decimals - 1);
    return scale.text(microseconds);
}

QString otherBaseText(const Prediction &prediction, std::optional<double> beforeMicroseconds,
                      bool isSideBySide) {
    if (!hasOtherBase(prediction, beforeMicroseconds))
        return {};
    return (isSideBySide ? QStringLiteral("predicted from %1, its own check; measured side by side from %2")
                         : QStringLiteral("predicted from %1, as it was known then; measured from %2"))
        .arg(baseTimeText(*prediction.beforeMicroseconds), baseTimeText(*beforeMicroseconds));
}

} // namespace warpwright
