// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// A convolution of operands in `known` memory, without its bias: a consumer adds that, or the library where
/// nothing else is fused. Operands are row-major (a depthwise image may be NHWC); with `usesChannelsLast`
/// image, filters and result are NHWC. `copies`: of operands that are in memory in another layout.
/// `mayBeChannelsLast`: others use NHWC, so a depthwise one may get its image as NHWC.
[[nodiscard]] StructuredKernel convolutionKernel(const ReferenceGraph &graph, const KnownBuffers &known,
                                                 int node, const KnownBuffers &copies, bool usesChannelsLast,
                                                 bool mayBeChannelsLast);

} // namespace warpwright
