// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The kernels for a graph's nodes as they stand: none of them in other words, no loops over time.
/// `areLayoutsFree`: what only kernels of the plan read may lie in any order. `residuals`: sums that are in
/// memory for their readers (residual_sums).
[[nodiscard]] Program programOfNodes(const ReferenceGraph &graph, const ProgramChoices &choices,
                                     bool areLayoutsFree, const std::vector<int> &residuals);

} // namespace warpwright
