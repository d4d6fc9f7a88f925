// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// A convolution whose operands lie in `known` memory, without its bias: that is added by whoever reads the
/// result, or by the library where nothing else is done. Images lie by rows (a depthwise one may also lie
/// with its channels last), filters by rows; where it `isLast`, image, filters and result have channels last.
/// `copies`: of operands that lie in memory in another order than that. `mayBeLast`: others have channels
/// last, so that a depthwise one may find its image so.
[[nodiscard]] AnchorKernel convolutionKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node,
                                             const KnownBuffers &copies, bool isLast, bool mayBeLast);

} // namespace warpwright
