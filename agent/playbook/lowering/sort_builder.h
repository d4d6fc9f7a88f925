// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// Whether the operator, of several results, sorts each row along its tensor's last dimension, or selects its
/// top k: the sorts that the reader does not decompose (resources/playbook/decompositions.py).
[[nodiscard]] bool isSort(const ReferenceGraph &graph, const GraphNode &node);
/// Whether the node is one of the results of such an operator: the values, or their indices.
[[nodiscard]] bool isSortResult(const ReferenceGraph &graph, const GraphNode &node);

/// The kernel for this result, and for the other one, if it is read. Elements that are pointwise in coalesced
/// reads of `known` memory are computed as they are read.
[[nodiscard]] StructuredKernel sortKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node);

} // namespace warpwright
