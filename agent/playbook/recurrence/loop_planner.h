// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"
#include "agent/playbook/recurrence/find_loop.h"

#include <functional>
#include <optional>

namespace warpwright {

using PlanTimeStep = std::function<Program(const ReferenceGraph &)>;
using PlanSubgraph = std::function<Program(const ReferenceGraph &, bool mayRewrite)>;

/// Plans a graph with a loop over time: what is before the loop, one time step, and what is after the loop,
/// each on its own. Outputs of time steps are stored one after the other where something after the loop reads
/// them; else only the last two are kept. Empty: there is no loop.
///
/// `planTimeStep` plans the time step, `programOf` the rest. `mayRewrite`: tries first to hoist matmuls of
/// time steps' own inputs, here and in the loops of the other parts.
[[nodiscard]] std::optional<Program> programOfLoop(const ReferenceGraph &graph, bool mayRewrite,
                                                   const PlanTimeStep &planTimeStep,
                                                   const PlanSubgraph &programOf);

} // namespace warpwright
