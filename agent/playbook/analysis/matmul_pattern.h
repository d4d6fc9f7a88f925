// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

namespace warpwright {

/// mm or bmm.
[[nodiscard]] bool isMatmul(const GraphNode &node);
/// The first matrix (0) or the second one (1) of such a node.
[[nodiscard]] const GraphNode &operandOf(const ReferenceGraph &graph, const GraphNode &node,
                                         std::size_t which);
/// Up to this K a matmul is pointwise.
constexpr std::int64_t maxPointwiseInner = 4;
/// Whether it is left to BLAS: a matmul with a single row or column is a reduction, which kernels of ours
/// compute at memory bandwidth, and one with a short K is pointwise.
[[nodiscard]] bool isBlasMatmul(const ReferenceGraph &graph, const GraphNode &node);

/// Whether contiguous rows of the result are misaligned for the tensor cores' stores: 16-bit elements, row
/// length no multiple of 16 bytes, and a matmul large enough to be worth a copy.
[[nodiscard]] bool hasUnalignedRows(const ReferenceGraph &graph, const GraphNode &node);

/// An unguarded load at an affine address.
[[nodiscard]] bool isPlainLoad(const Kernel &kernel, int step);

/// The first node below views that is no view.
[[nodiscard]] int belowViews(const ReferenceGraph &graph, int node);

} // namespace warpwright
