// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/kernel_lowering.h"

namespace warpwright {

/// A node that a library computes, as a kernel; or the node that has to be in memory first.
struct AnchorKernel {
    std::optional<FusedKernel> kernel; ///< its stores have no buffer yet: one, for what is asked for, but for
    std::vector<int> results;          ///< nodes that it makes together: a store each
    BufferLayout layout;               ///< of each result
    int before = -1;                   ///< to be computed by a kernel before, whole
    std::optional<BufferLayout> wished; ///< how it should lie; none: by rows
    bool isCopy = false;                ///< it lies in memory already, and is needed in another order
    QString cannot;                     ///< neither is possible, because …
};

/// Whether the operator multiplies matrices: mm, bmm.
[[nodiscard]] bool isProduct(const GraphNode &node);
/// Elements that each sum of a product is over, up to which it is pointwise.
constexpr std::int64_t mostShortInner = 4;
/// Whether it is left to BLAS: one with a single row or column is a row of sums, which kernels of ours form
/// at the memory's speed, and one of few summands, or none, is pointwise.
[[nodiscard]] bool isMatrixProduct(const ReferenceGraph &graph, const GraphNode &node);

/// Whether rows of the product's result, one behind the other, begin where the matrix units' stores cannot:
/// of numbers of 16 bits with no whole packs of 16 bytes a row, where the product is worth a copy.
[[nodiscard]] bool hasOddRows(const ReferenceGraph &graph, const GraphNode &node);

/// mm and bmm as batches of products of matrices that lie in `known` memory. Operands are taken through any
/// views, as far as BLAS can walk them: rows or columns side by side, batches at equal distances. Loops of
/// rows or columns that do not merge into one become batches. `isFree`: only kernels of the plan read the
/// result, so it may lie as suits the library.
[[nodiscard]] AnchorKernel productKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node,
                                         bool isFree);

/// A load that the loops alone place, and under no condition.
[[nodiscard]] bool isPlainLoad(const FusedKernel &kernel, int step);

/// The first node below views that is computed or stored itself.
[[nodiscard]] int belowViews(const ReferenceGraph &graph, int node);

} // namespace warpwright
