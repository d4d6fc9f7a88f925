// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_plan.h"

namespace warpwright {

/// The kernels for a graph's nodes as they stand: none of them in other words, no loops over time.
/// `isFree`: what only kernels of the plan read may lie in any order. `mayJoin`: as of residualSums().
[[nodiscard]] KernelPlan planOfNodes(const ReferenceGraph &graph, const PlanChoices &choices, bool isFree,
                                     bool mayJoin);

} // namespace warpwright
