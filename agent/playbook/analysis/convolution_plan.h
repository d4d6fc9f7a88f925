// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/analysis/product_plan.h"

namespace warpwright {

[[nodiscard]] bool isConvolution(const GraphNode &node);
[[nodiscard]] bool hasBias(const GraphNode &convolution);

/// A convolution whose operands lie in `known` memory, without its bias: that is added by whoever reads the
/// result, or by the library where nothing else is done. Images lie by rows (a depthwise one may also lie
/// with its channels last), filters by rows; where it `isLast`, image, filters and result have channels last.
/// `copies`: of operands that lie in memory in another order than that. `mayBeLast`: others have channels
/// last, so that a depthwise one may find its image so.
[[nodiscard]] AnchorKernel convolutionKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node,
                                             const KnownBuffers &copies, bool isLast, bool mayBeLast);

/// Whether matrix units take it with channels last: a group's channels come in aligned numbers. None that is
/// depthwise can.
[[nodiscard]] bool canBeChannelsLast(const ReferenceGraph &graph, const GraphNode &node);
/// Whether such a convolution, or what is done to each of its elements, gives this image.
[[nodiscard]] bool comesWithChannelsLast(const ReferenceGraph &graph, int node);
[[nodiscard]] BufferLayout layoutWithChannelsLast(const Shape &shape); ///< of three to five dimensions

} // namespace warpwright
