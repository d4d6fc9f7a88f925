// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// mm and bmm as batches of products of matrices that lie in `known` memory. Operands are taken through any
/// views, as far as BLAS can walk them: rows or columns side by side, batches at equal distances. Loops of
/// rows or columns that do not merge into one become batches. `isFree`: only kernels of the plan read the
/// result, so it may lie as suits the library.
[[nodiscard]] StructuredKernel matmulKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node,
                                            bool isFree);

} // namespace warpwright
