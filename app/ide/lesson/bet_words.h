// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/prediction_ledger.h"

#include <QString>

#include <optional>

/// A person bets on the time of a proposal from the time that is shown for the text before it, in the words
/// that are at hand: a factor, a share, the time itself or a difference.
namespace warpwright {

/// In microseconds, the time that `text` says will come: «2x» (twice as fast), «50 %» (of the time), «−30 %»,
/// «53 ms», «−60 ms». Empty: it says none; a number alone may be a factor as well as a time.
/// `nowMicroseconds`: 0 where the text before was not timed.
[[nodiscard]] std::optional<double> betTime(const QString &text, double nowMicroseconds);
/// What was bet, in microseconds; with a range all of it counts as a hit.
struct Bet {
    double microseconds = 0;
    std::optional<double> low, high;

    bool operator==(const Bet &) const = default;
};
/// The same, and a range: «2-4x», «50–60 ms», whose middle is that of the factors. Empty: it says neither.
[[nodiscard]] std::optional<Bet> betIn(const QString &text, double nowMicroseconds);
/// «1.5 what? 1.5x, 1.5 ms» where it is a number or a range without a unit; empty: it is not. `unit`: that of
/// the time before.
[[nodiscard]] QString unitQuestion(const QString &text, const QString &unit);
/// As it is recorded; `nowMicroseconds`: above 0.
[[nodiscard]] Prediction predictionOf(const Bet &bet, double nowMicroseconds);
/// As it was understood: "53.0 ms of 113 ms, 2.13×".
[[nodiscard]] QString betText(double microseconds, double nowMicroseconds);
/// The same with what counts as a hit: "28.3 ms to 56.5 ms of 113 ms, 2.00–4.00×", "…, 2.13× (±10 % counts as
/// a hit)".
[[nodiscard]] QString betText(const Bet &bet, double nowMicroseconds);
/// What the person has bet on that proposal: before the result as betText(), then beside what was measured,
/// as factors. Empty: nothing.
[[nodiscard]] QString betSoFar(const PredictionLedger &ledger, const QString &proposal);
/// "now 113 ms; what will it be?"
[[nodiscard]] QString betQuestion(double nowMicroseconds);
/// How a bet may be written, with numbers that suit this time.
[[nodiscard]] QString betForms(double nowMicroseconds);

} // namespace warpwright
