// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpwright {

struct LedgerRow;
struct LessonStep;
class Session;

/// Whoever bets first sees no number of a proposal, neither what its author predicted nor what was measured,
/// until the bet is placed or the result is asked for. Every place that shows one asks here.
[[nodiscard]] bool mayShowNumbers(const Session &session); ///< of the proposal that it has at hand
[[nodiscard]] bool mayShowNumbers(const LedgerRow &row);
[[nodiscard]] bool mayShowNumbers(const LessonStep &step);

} // namespace warpwright
