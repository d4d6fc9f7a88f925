// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/program_moves.h"

#include <functional>

namespace warpwright {

/// What a playbook that works alone may propose first, in order: each risks less than the one before it.
struct FirstMoves {
    std::vector<PlaybookMove> texts;
    /// The given program, with its moves, where the first text is of another one: to be compared with that.
    std::optional<PlaybookMove> usual;
    QStringList changes; ///< titles of the moves that led to the first text's program
};

/// Moves from there on with an expected gain, best first: those to another program, or the others.
using PromisingMoves = std::function<std::vector<PlaybookMove>(
    const Program &program, const std::vector<Knobs> &knobSets, bool toOtherPlans)>;

/// Predicted to be slower than the current text by more than a prediction may be off.
[[nodiscard]] bool isSurelySlower(const PlaybookMove &move);

/// `plain`: the text without any move. All moves at once, on the program that is expected to gain most; the
/// same on the given program; without a change of precision; plain.
[[nodiscard]] FirstMoves firstMovesFrom(const Program &program, const PlaybookMove &plain,
                                        const PromisingMoves &promising);

} // namespace warpwright
