// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/unexercised.h"

#include <optional>

namespace warpwright {

/// What a change did, in the words of a prediction: the candidate's time after it over its time before it.
struct TimeRatio {
    /// How it came about; two of different ways need not agree.
    enum class Way {
        SideBySide, ///< both timed in one run
        OverEager,  ///< by the speed-ups over eager of two checks
        Times       ///< by the times of two checks
    };

    double value = 1;
    double low = 1; ///< the farthest ends of both intervals
    double high = 1;
    Way way = Way::SideBySide;
    bool isCallNoise = false; ///< Way::Times: isSaidNoise() of both; a ratio says no more than the difference

    [[nodiscard]] bool holdsOne() const { return low <= 1 && high >= 1; } ///< the interval
    /// Neither faster nor slower can be said.
    [[nodiscard]] bool isNoise() const { return holdsOne() || isCallNoise; }
    [[nodiscard]] bool isFaster() const { return high < 1 && !isCallNoise; }
    [[nodiscard]] bool isSlower() const { return low > 1 && !isCallNoise; }
    bool operator==(const TimeRatio &) const = default;
};

/// What was measured of both in one run, side by side; null: `before` is not the text that `after` was timed
/// beside.
[[nodiscard]] const BesideTiming *besideOf(const EvaluationSummary &before, const EvaluationSummary &after);

/// From besideOf(), also where the clock could not decide on one of them alone; else from the speed-ups over
/// eager, which each check measured side by side; where one is missing, from the times. Empty: one of them
/// has not passed or was not measured, whyNotComparable() says more, or the same code ran for both
/// (unexercisedFiles()).
[[nodiscard]] std::optional<TimeRatio> timeRatio(const EvaluationSummary &before,
                                                 const EvaluationSummary &after);

/// Of a ratio over eager: how many times as long eager itself took in one of the two checks, where that
/// is 1.5 or more. Empty: it moved less, or the ratio came about in another way.
[[nodiscard]] std::optional<double> movedBaseline(const EvaluationSummary &before,
                                                  const EvaluationSummary &after);
/// "eager itself took 3.8 times as long in one of the two checks"
[[nodiscard]] QString movedBaselineWords(double moved);
/// The whole caution, for the ratio `value` that it is about.
[[nodiscard]] QString movedBaselineText(double moved, double value);

/// Why timeRatio() of both is no difference, as it stands behind it everywhere: "no difference measured", "no
/// difference measured: their difference, ± its farther end, holds 0", "it proves nothing: eager itself took
/// 3.8 times as long in one of the two checks". Empty: it is one, or there is no ratio.
[[nodiscard]] QString whyNoDifference(const EvaluationSummary &before, const EvaluationSummary &after);

/// "both timed side by side in one check", "by the speed-ups over eager", "by the times of two
/// checks"
[[nodiscard]] QString wayText(TimeRatio::Way way);

/// The same as a difference in microseconds, negative is faster; between two runs with an interval that holds
/// every pair.
[[nodiscard]] std::optional<TimeRatio> timeDifference(const EvaluationSummary &before,
                                                      const EvaluationSummary &after);

} // namespace warpwright
