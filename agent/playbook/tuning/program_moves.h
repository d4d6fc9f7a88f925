// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/playbook_moves.h"

namespace warpwright {

/// The moves that change the program, and not only how its kernels are written: each with its program, to
/// which tuned knobs are carried over. Only those that are expected to gain something.
[[nodiscard]] std::vector<PlaybookMove> programMovesFrom(const ReferenceGraph &graph, const Program &program,
                                                         const std::vector<Knobs> &knobSets,
                                                         const Target &target);

/// Both kinds together, best expected first.
[[nodiscard]] std::vector<PlaybookMove> allMovesFrom(const ReferenceGraph &graph, const Program &program,
                                                     const std::vector<Knobs> &knobSets,
                                                     const Target &target);

/// The class of the kernels that a move changes, of either kind.
[[nodiscard]] QString kernelClassOf(const Program &program, const std::vector<Knobs> &knobSets,
                                    const PlaybookMove &move);

} // namespace warpwright
