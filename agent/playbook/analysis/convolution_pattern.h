// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

[[nodiscard]] bool isConvolution(const GraphNode &node);
[[nodiscard]] bool hasBias(const GraphNode &convolution);

/// Whether tensor cores can compute it in NHWC: a group's channels are a multiple of the alignment. Never for
/// a depthwise one.
[[nodiscard]] bool canBeChannelsLast(const ReferenceGraph &graph, const GraphNode &node);
/// Whether the node is such a convolution's result, or computed from it by pointwise operators.
[[nodiscard]] bool comesWithChannelsLast(const ReferenceGraph &graph, int node);
[[nodiscard]] TensorLayout channelsLastLayout(const Shape &shape); ///< NHWC, three to five dimensions
/// Whether a kernel reads a temporary of the program, which was built for `graph`, in NHWC.
[[nodiscard]] bool readsChannelsLast(const Program &program, const ReferenceGraph &graph,
                                     const Kernel &kernel);

} // namespace warpwright
