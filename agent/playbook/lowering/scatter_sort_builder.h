// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

/// Row scatters and row sorts: kernels of ours on every device, which read their operands from memory.
namespace warpwright {

[[nodiscard]] bool isScatterOrSort(const ReferenceGraph &graph, const GraphNode &node);
/// Of a node that isScatterOrSort(), with operands in `known` memory.
[[nodiscard]] StructuredKernel scatterOrSortKernel(const ReferenceGraph &graph, const KnownBuffers &known,
                                                   int node);

} // namespace warpwright
