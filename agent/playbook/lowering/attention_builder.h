// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// Attention as one kernel: a matmul whose first operand is the softmax of another matmul's result, with any
/// pointwise work on the scores, which never reach memory. Its loops are batches, query rows, keys, the
/// elements of a query and those of a value; keys and what follows are inner loops. Inputs 0 to 2 are
/// queries, keys and values.
///
/// No kernel, no prerequisite and no reason: no match, or none that fits tensor cores. `isFree`: only kernels
/// of the program read the result, so it may have the order of the queries.
[[nodiscard]] StructuredKernel attentionKernel(const ReferenceGraph &graph, const KnownBuffers &known,
                                               int node, bool isFree);

} // namespace warpwright
