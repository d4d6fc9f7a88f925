// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"
#include "agent/playbook/recurrence/graph_repetition.h"

#include <functional>
#include <optional>

namespace warpwright {

using PlanOnce = std::function<KernelPlan(const ReferenceGraph &)>;
using PlanPart = std::function<KernelPlan(const ReferenceGraph &, bool mayRewrite)>;

/// Plans a graph of which a part is repeated: what is before the turns, one turn, and what is after them,
/// each on its own. What a turn leaves lies in memory, one after the other where something after them reads
/// it; else only the last two do. Empty: nothing is repeated.
///
/// `planOnce` plans the turn, `planOf` the others. `mayRewrite`: what turns multiply of their own inputs goes
/// before them, here and in the loops of the other parts; tried first.
[[nodiscard]] std::optional<KernelPlan> planOfLoop(const ReferenceGraph &graph, bool mayRewrite,
                                                   const PlanOnce &planOnce, const PlanPart &planOf);

} // namespace warpwright
