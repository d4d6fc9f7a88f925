// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

/// Nodes that are a kernel of ours on every device, which takes what it needs from memory: rows that are
/// scattered, and rows that are sorted.
namespace warpwright {

[[nodiscard]] bool isScatterOrSort(const ReferenceGraph &graph, const GraphNode &node);
/// Of a node that isScatterOrSort, with operands that lie in `known` memory.
[[nodiscard]] StructuredKernel scatterOrSortKernel(const ReferenceGraph &graph, const KnownBuffers &known,
                                                   int node);

} // namespace warpwright
