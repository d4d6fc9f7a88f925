// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// The kernels for a graph's nodes as they stand: none of them in other words, no loops over time.
/// `areLayoutsFree`: what only kernels of the plan read may lie in any order. `residuals`: sums that are in
/// memory for their readers (residual_sums).
[[nodiscard]] KernelPlan planOfNodes(const ReferenceGraph &graph, const PlanChoices &choices,
                                     bool areLayoutsFree, const std::vector<int> &residuals);

} // namespace warpwright
