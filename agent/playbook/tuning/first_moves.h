// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/program_moves.h"

#include <functional>

namespace warpwright {

/// What a playbook that works alone may propose first. In order: each dares less than the one before it.
struct FirstMoves {
    std::vector<PlaybookMove> texts;
    /// The plan that was given, with its moves, where the first text is of another one: to be compared with
    /// that.
    std::optional<PlaybookMove> usual;
    QStringList changes; ///< titles of the moves by which the first text's plan is another one
};

/// Moves that promise something from there on, best first: those to another plan, or the others.
using PromisingMoves = std::function<std::vector<PlaybookMove>(
    const Program &program, const std::vector<Knobs> &knobSets, bool toOtherPlans)>;

/// Foretold to be slower than what stands by more than a prediction may be off.
[[nodiscard]] bool isSurelySlower(const PlaybookMove &move);

/// `plain`: the text without any move. All moves at once, on the plan that promises most; the same on the
/// plan that was given; without a change of precision; plain.
[[nodiscard]] FirstMoves firstMovesFrom(const Program &program, const PlaybookMove &plain,
                                        const PromisingMoves &promising);

} // namespace warpwright
