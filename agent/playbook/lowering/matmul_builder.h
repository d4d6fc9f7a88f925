// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// mm and bmm as batched matmuls of operands in `known` memory, through any views that BLAS can address: unit
/// stride along rows or columns, batches at equal distances. Loops over rows or columns that do not merge
/// become batches. `isFree`: only kernels of the program read the result, so its layout may suit the library.
[[nodiscard]] StructuredKernel matmulKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node,
                                            bool isFree);

} // namespace warpwright
