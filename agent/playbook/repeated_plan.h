// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/graph_repetition.h"
#include "agent/playbook/kernel_plan.h"

#include <functional>

namespace warpwright {

/// Plans a graph of which a part is repeated: what is before the turns, one turn, and what is after them,
/// each on its own. What a turn leaves lies in memory, one after the other where something after them reads
/// it; else only the last two do. `planOnce` plans the turn, `planOf` the others.
[[nodiscard]] KernelPlan repeatedPlan(const ReferenceGraph &graph, const Repetition &repetition,
                                      const std::function<KernelPlan(const ReferenceGraph &)> &planOnce,
                                      const std::function<KernelPlan(const ReferenceGraph &)> &planOf);

} // namespace warpwright
