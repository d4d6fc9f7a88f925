// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/time_ratio.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/said_difference.h"

#include <algorithm>

namespace warpwright {

namespace {

// The same code, timed twice: what differs is noise, and no gain or loss of a change that never ran.
bool isRepeat(const EvaluationSummary &before, const EvaluationSummary &after) {
    return !unexercisedFiles(before, after).empty();
}

bool isTimed(const EvaluationSummary &summary) {
    return summary.verdict == Verdict::Pass && summary.candidate;
}

} // namespace

const BesideTiming *besideOf(const EvaluationSummary &before, const EvaluationSummary &after) {
    const bool isOfIt =
        after.beside && !before.textHash.isEmpty() && after.beside->textHash == before.textHash;
    return isOfIt ? &*after.beside : nullptr;
}

std::optional<TimeRatio> timeRatio(const EvaluationSummary &before, const EvaluationSummary &after) {
    // How certain each was when it stood alone says nothing of this run; `inconclusive` is of the clock, and
    // its results were right.
    const BesideTiming *beside = besideOf(before, after);
    const bool isVerified = isTimed(after) || (beside != nullptr && after.verdict == Verdict::Inconclusive);
    if (!isVerified || isRepeat(before, after))
        return std::nullopt;
    if (beside != nullptr)
        return TimeRatio{beside->value, beside->low, beside->high};
    if (!isTimed(before) || !whyNotComparable(before, after).isEmpty())
        return std::nullopt;
    if (before.eager && after.eager && after.eager->low > 0 && before.eager->low > 0)
        return TimeRatio{before.eager->value / after.eager->value, before.eager->low / after.eager->high,
                         before.eager->high / after.eager->low, TimeRatio::Way::OverEager};
    if (!before.candidate || !after.candidate || before.candidate->lowMicroseconds <= 0)
        return std::nullopt;
    const ArmTiming &old = *before.candidate;
    const ArmTiming &now = *after.candidate;
    return TimeRatio{now.medianMicroseconds / old.medianMicroseconds,
                     now.lowMicroseconds / old.highMicroseconds, now.highMicroseconds / old.lowMicroseconds,
                     TimeRatio::Way::Times, isSaidNoise(old, now)};
}

std::optional<double> movedBaseline(const EvaluationSummary &before, const EvaluationSummary &after) {
    constexpr double muchMoved = 1.5;
    const auto ratio = timeRatio(before, after);
    if (!ratio || ratio->way != TimeRatio::Way::OverEager || !before.candidate || !after.candidate)
        return std::nullopt;
    // Its own medians, as both reports say them; of an old document what follows from the speed-up.
    const bool areKnown = before.eagerMicroseconds && after.eagerMicroseconds;
    const double was =
        areKnown ? *before.eagerMicroseconds : before.eager->value * before.candidate->medianMicroseconds;
    const double is =
        areKnown ? *after.eagerMicroseconds : after.eager->value * after.candidate->medianMicroseconds;
    if (was <= 0 || is <= 0)
        return std::nullopt;
    const double moved = std::max(was, is) / std::min(was, is);
    return moved < muchMoved ? std::nullopt : std::optional(moved);
}

QString movedBaselineWords(double moved) {
    return QStringLiteral("eager itself took %1 times as long in one of the two checks")
        .arg(numberText(moved, 1));
}

QString movedBaselineText(double moved, double value) {
    return QStringLiteral("That the right side takes %1 of the left side's time proves nothing: %2, so the "
                          "machine did other work. Check both again.")
        .arg(percentText(value), movedBaselineWords(moved));
}

QString whyNoDifference(const EvaluationSummary &before, const EvaluationSummary &after) {
    const auto ratio = timeRatio(before, after);
    if (!ratio)
        return {};
    if (const auto moved = movedBaseline(before, after))
        return QStringLiteral("it proves nothing: ") + movedBaselineWords(*moved);
    if (!ratio->isNoise())
        return {};
    return ratio->holdsOne() ? noDifferenceWords()
                             : noDifferenceWords() + QStringLiteral(": their difference, ± its farther end, "
                                                                    "holds 0");
}

QString wayText(TimeRatio::Way way) {
    switch (way) {
    case TimeRatio::Way::SideBySide:
        return QStringLiteral("both timed side by side in one check");
    case TimeRatio::Way::OverEager:
        return QStringLiteral("by the speed-ups over eager");
    case TimeRatio::Way::Times:
        return QStringLiteral("by the times of two checks");
    }
    return {};
}

std::optional<TimeRatio> timeDifference(const EvaluationSummary &before, const EvaluationSummary &after) {
    if (!before.candidate || !after.candidate || isRepeat(before, after))
        return std::nullopt;
    if (const BesideTiming *beside = besideOf(before, after); beside != nullptr) {
        const double median = beside->before.medianMicroseconds;
        return TimeRatio{(beside->value - 1) * median, (beside->low - 1) * median,
                         (beside->high - 1) * median};
    }
    if (!whyNotComparable(before, after).isEmpty())
        return std::nullopt;
    const ArmTiming &old = *before.candidate;
    const ArmTiming &now = *after.candidate;
    return TimeRatio{now.medianMicroseconds - old.medianMicroseconds,
                     now.lowMicroseconds - old.highMicroseconds, now.highMicroseconds - old.lowMicroseconds,
                     TimeRatio::Way::Times};
}

} // namespace warpwright
