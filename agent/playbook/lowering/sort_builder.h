// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// Whether the operator, of several results, puts the elements of each row along its tensor's last dimension
/// in order, or the first few of them: what the reader leaves whole of all that sorts
/// (resources/playbook/apart.py).
[[nodiscard]] bool isSort(const ReferenceGraph &graph, const GraphNode &node);
/// Whether the node is one of the results of such an operator: the values, or where they were.
[[nodiscard]] bool isSortResult(const ReferenceGraph &graph, const GraphNode &node);

/// The kernel that makes this result, and the other one, if somebody reads it. Elements that are computed one
/// by one from what lies in `known` memory along rows are computed as they are read.
[[nodiscard]] StructuredKernel sortKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node);

} // namespace warpwright
