// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// A product whose first operand is the softmax of another product, over what the second sums over: queries,
/// keys and values of attention, whatever is done to the scores on the way, as one kernel. Then scores never
/// go through memory. Its loops are batches, rows (of queries), keys, the elements of a query and those of a
/// value; keys and what follows are inner ones. Leaves 0 to 2 are queries, keys and values.
///
/// No kernel, nothing that has to be before and no reason: it is none, or none that fits the matrix units.
/// `isFree`: only kernels of the plan read the result, so it may lie in the order of the queries.
[[nodiscard]] StructuredKernel attentionKernel(const ReferenceGraph &graph, const KnownBuffers &known,
                                               int node, bool isFree);

} // namespace warpwright
