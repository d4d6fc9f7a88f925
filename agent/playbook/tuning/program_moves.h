// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/playbook_moves.h"

namespace warpwright {

/// The moves that change the plan, and not only how its kernels are written: each with a plan of its own, and
/// what was tuned carried over to it. Only those that promise something.
[[nodiscard]] std::vector<PlaybookMove> programMovesFrom(const ReferenceGraph &graph, const Program &program,
                                                         const std::vector<Knobs> &knobSets,
                                                         const PlaybookDevice &device);

/// Both kinds together, the one that promises most first.
[[nodiscard]] std::vector<PlaybookMove> allMovesFrom(const ReferenceGraph &graph, const Program &program,
                                                     const std::vector<Knobs> &knobSets,
                                                     const PlaybookDevice &device);

/// The class of the kernels that a move changes, of either kind.
[[nodiscard]] QString kernelClassOf(const Program &program, const std::vector<Knobs> &knobSets,
                                    const PlaybookMove &move);

} // namespace warpwright
