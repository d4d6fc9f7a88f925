// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpwright {

template <typename Shown>
concept IsSessionWithResult = requires(const Shown &shown) {
    shown.isResultHidden();
};
template <typename Shown>
concept HasHiddenNumbers = requires(const Shown &shown) {
    shown.isHidden;
};

/// Whoever bets first sees no number of a proposal, neither what its author predicted nor what was measured,
/// until the bet is placed or the result is asked for. Every place that shows one asks here.
[[nodiscard]] bool mayShowNumbers(const IsSessionWithResult auto &session) { ///< of the proposal at hand
    return !session.isResultHidden();
}
/// Of a row of the ledger, or a step of a lesson.
[[nodiscard]] bool mayShowNumbers(const HasHiddenNumbers auto &row) {
    return !row.isHidden;
}

} // namespace warpwright
