// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

namespace warpwright {

/// Whether the operator multiplies matrices: mm, bmm.
[[nodiscard]] bool isMatmul(const GraphNode &node);
/// The first matrix (0) or the second one (1) of such a node.
[[nodiscard]] const GraphNode &operandOf(const ReferenceGraph &graph, const GraphNode &node,
                                         std::size_t which);
/// Elements that each sum of a product is over, up to which it is pointwise.
constexpr std::int64_t mostShortInner = 4;
/// Whether it is left to BLAS: one with a single row or column is a row of sums, which kernels of ours form
/// at the memory's speed, and one of few summands, or none, is pointwise.
[[nodiscard]] bool isBlasMatmul(const ReferenceGraph &graph, const GraphNode &node);

/// Whether rows of the product's result, one behind the other, begin where the matrix units' stores cannot:
/// of numbers of 16 bits with no whole packs of 16 bytes a row, where the product is worth a copy.
[[nodiscard]] bool hasUnalignedRows(const ReferenceGraph &graph, const GraphNode &node);

/// A load that the loops alone place, and under no condition.
[[nodiscard]] bool isPlainLoad(const Kernel &kernel, int step);

/// The first node below views that is computed or stored itself.
[[nodiscard]] int belowViews(const ReferenceGraph &graph, int node);

} // namespace warpwright
