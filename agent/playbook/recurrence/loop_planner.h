// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"
#include "agent/playbook/recurrence/find_loop.h"

#include <functional>
#include <optional>

namespace warpwright {

using PlanTimeStep = std::function<Program(const ReferenceGraph &)>;
using PlanSubgraph = std::function<Program(const ReferenceGraph &, bool mayRewrite)>;

/// Plans a graph of which a part is repeated: what is before the turns, one turn, and what is after them,
/// each on its own. What a turn leaves lies in memory, one after the other where something after them reads
/// it; else only the last two do. Empty: nothing is repeated.
///
/// `planTimeStep` plans the turn, `programOf` the others. `mayRewrite`: what turns multiply of their own
/// inputs goes before them, here and in the loops of the other parts; tried first.
[[nodiscard]] std::optional<Program> programOfLoop(const ReferenceGraph &graph, bool mayRewrite,
                                                   const PlanTimeStep &planTimeStep,
                                                   const PlanSubgraph &programOf);

} // namespace warpwright
