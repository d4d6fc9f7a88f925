// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// A convolution whose operands lie in `known` memory, without its bias: that is added by whoever reads the
/// result, or by the library where nothing else is done. Images lie by rows (a depthwise one may also lie
/// with its channels last), filters by rows; where it `usesChannelsLast`, image, filters and result have
/// channels last. `copies`: of operands that lie in memory in another order than that. `mayBeChannelsLast`:
/// others have channels last, so that a depthwise one may find its image so.
[[nodiscard]] StructuredKernel convolutionKernel(const ReferenceGraph &graph, const KnownBuffers &known,
                                                 int node, const KnownBuffers &copies, bool usesChannelsLast,
                                                 bool mayBeChannelsLast);

} // namespace warpwright
