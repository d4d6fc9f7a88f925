// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

/// A person bets on the time of a proposal from the time that is shown for the text before it, in the words
/// that are at hand: a factor, a share, the time itself or a difference.
namespace warpwright {

/// In microseconds, the time that `text` says will come: «2x» (twice as fast), «50 %» (of the time), «−30 %»,
/// «53 ms», «−60 ms», and without a unit, which is `unitMicroseconds` then, «53» and «−60». Empty: it says
/// none. `nowMicroseconds`: 0 where the text before was not timed.
[[nodiscard]] std::optional<double> betTime(const QString &text, double nowMicroseconds,
                                            double unitMicroseconds);
/// As it was understood: "53.0 ms of 113 ms, 2.13×".
[[nodiscard]] QString betText(double microseconds, double nowMicroseconds);
/// "now 113 ms; what will it be?"
[[nodiscard]] QString betQuestion(double nowMicroseconds);
/// How a bet may be written, with numbers that suit this time.
[[nodiscard]] QString betForms(double nowMicroseconds);

} // namespace warpwright
