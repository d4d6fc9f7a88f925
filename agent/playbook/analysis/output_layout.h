// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/tensor_layout.h"

namespace warpwright {

/// How a result lies: as the reference leaves it where that is certain on every device (images with channels
/// last stay so through pointwise operators and pooling), else by rows, which the judge takes as well.
/// Turning a result round costs as much as computing it.
[[nodiscard]] TensorLayout layoutOfOutput(const ReferenceGraph &graph, int node);

/// For each dimension of the tensor its place in the memory; empty: they are in order.
[[nodiscard]] std::vector<std::size_t> memoryOrder(const TensorLayout &layout);

} // namespace warpwright
