// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/ledger_row.h"

namespace warpwright {

// The one rule of all that is told of a change, on page, picture, ledger, card and shared page. The ratio
// that was measured decides. Whoever expects something, an agent or a person who bets, does so of a time that
// can be seen then (Prediction::beforeMicroseconds): the expectation is a ratio of that time, and as a time
// it is counted from it, before and after the measurement. What was measured is counted from the text before
// as it was timed for it (measuredBefore()), and measuredAfter() is where that leads. Where the two times are
// apart otherBaseText() says so, and what is to be compared is told as factors.

/// Whether what was expected of a change came, by one rule and in one set of words wherever a prediction
/// stands beside its measurement: by the ratio alone, for two times of one text in two checks may be apart.
enum class PredictionOutcome {
    Open,      ///< not measured, hidden, or nothing of it ran here
    Hit,       ///< the measured ratio lies in the expected range
    Undecided, ///< it does not, but its interval reaches into the range
    Outside,   ///< nor does its interval
    Failed     ///< it did not build, or its results were not right
};

/// Of ratios of time, as a prediction gives them.
struct ExpectedRange {
    double low = 1;
    double high = 1;
    bool isGranted = false; ///< none was given: ±10 % of the time are granted
};
/// Empty: nothing was expected of the time.
[[nodiscard]] std::optional<ExpectedRange> expectedRange(const Prediction &prediction);

[[nodiscard]] PredictionOutcome outcomeOf(const Prediction &prediction, const TimeRatio &measured);
[[nodiscard]] PredictionOutcome outcomeOf(const LedgerRow &row, const Prediction &prediction);
[[nodiscard]] QString outcomeWord(PredictionOutcome outcome); ///< "hit", "undecided", "outside", "failed"
/// The same with what it rests on: "undecided, for the interval is 1.97–2.90×", "hit, of a range that holds
/// faster and slower".
[[nodiscard]] QString outcomeText(const Prediction &prediction, const TimeRatio &measured);

/// A prediction or a bet beside what was measured, as factors, for they decide; how wide what was expected
/// may be read stands with it: "3.00× (2.73–3.33×, ±10 % granted), measured 1.87× side by side: outside".
[[nodiscard]] QString judgedText(const Prediction &prediction, const TimeRatio &measured);

/// What was expected as a time, counted from the one that was known then; `otherwise`: from this one where
/// none is kept. Empty: nothing was expected of the time, or there is none to count from.
[[nodiscard]] std::optional<ArmTiming> expectedTime(const Prediction &prediction,
                                                    std::optional<double> otherwise = {});

/// "partly applied: 3 of 11 hunks", "applied with your edits"; empty: nothing was, or all of it as it was
/// made.
[[nodiscard]] QString takenText(const LedgerRow &row);

/// Times as fast: "3.33×", and of the range "2.70–4.00×".
[[nodiscard]] QString timesFasterText(double ratio);
[[nodiscard]] QString rangeText(const ExpectedRange &range);
/// What outcomeOf() goes by, to stand below a list.
[[nodiscard]] QString hitRuleText();

/// More than a tenth: differences from the one and from the other cannot be compared.
[[nodiscard]] bool areApart(double microseconds, double otherMicroseconds);
/// Whether what was expected is counted from another time than what was measured, `beforeMicroseconds`.
[[nodiscard]] bool hasOtherBase(const Prediction &prediction, std::optional<double> beforeMicroseconds);

/// A time that others are counted from, three digits: "34.1 ms".
[[nodiscard]] QString baseTimeText(double microseconds);
/// "predicted from 34.1 ms, its own check; measured side by side from 16.8 ms"; empty: hasOtherBase()
/// is not so.
[[nodiscard]] QString otherBaseText(const Prediction &prediction, std::optional<double> beforeMicroseconds,
                                    bool isSideBySide);

} // namespace warpwright
