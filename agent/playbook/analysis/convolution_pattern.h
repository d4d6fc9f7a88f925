// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

[[nodiscard]] bool isConvolution(const GraphNode &node);
[[nodiscard]] bool hasBias(const GraphNode &convolution);

/// Whether matrix units take it with channels last: a group's channels come in aligned numbers. None that is
/// depthwise can.
[[nodiscard]] bool canBeChannelsLast(const ReferenceGraph &graph, const GraphNode &node);
/// Whether such a convolution, or what is done to each of its elements, gives this image.
[[nodiscard]] bool comesWithChannelsLast(const ReferenceGraph &graph, int node);
[[nodiscard]] TensorLayout channelsLastLayout(const Shape &shape); ///< of three to five dimensions
/// Whether a kernel reads an image between kernels of the plan, of `graph`, that lies with channels last.
[[nodiscard]] bool readsChannelsLast(const Program &program, const ReferenceGraph &graph,
                                     const Kernel &kernel);

} // namespace warpwright
