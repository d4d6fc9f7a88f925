// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Plans kernels for a graph's nodes as they are: no graph passes, no loops over time. `areLayoutsFree`:
/// buffers that only kernels of the program read may have any layout. `residuals`: sums to materialize for
/// their consumers (materialize_residuals).
[[nodiscard]] Program programOfNodes(const ReferenceGraph &graph, const SharedDevice &device,
                                     const ProgramChoices &choices, bool areLayoutsFree,
                                     const std::vector<int> &residuals);

} // namespace warpwright
