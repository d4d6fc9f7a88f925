// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <map>

/// How the tensors of a plan lie in memory: values.
namespace warpwright {

/// A tensor's places: where torch says for what it holds, and in any order for what stays between kernels.
struct TensorLayout {
    Shape shape;   ///< the tensor's; a dimension may stand as several, in the tensor's order
    Shape strides; ///< of these, in elements
    std::int64_t offset = 0;
    Shape memory; ///< sizes of what is allocated, from the outermost

    /// No element of the memory is without one of the tensor.
    [[nodiscard]] bool isDense() const { return elementCount(memory) == elementCount(shape); }
    bool operator==(const TensorLayout &) const = default;
};

/// Where a tensor lies that kernels have written or were given.
struct KnownBuffer {
    int buffer = -1; ///< of the plan
    TensorLayout layout;

    bool operator==(const KnownBuffer &) const = default;
};

/// By node of the graph. A kernel may read these.
using KnownBuffers = std::map<int, KnownBuffer>;
/// The key there of a convolution's result that still lacks its bias.
[[nodiscard]] constexpr int withoutBias(int node) {
    return -1 - node;
}

/// As torch has results.
[[nodiscard]] TensorLayout contiguousLayout(const Shape &shape);
/// As torch has an input or a parameter.
[[nodiscard]] TensorLayout layoutOfInput(const GraphNode &input);
/// The dimensions in this order, from the outermost. The last `rowDimensions` of them make a row, which takes
/// `rowElements`.
[[nodiscard]] TensorLayout layoutInOrder(const Shape &shape, const std::vector<std::size_t> &order,
                                         std::size_t rowDimensions, std::int64_t rowElements);

/// So many elements that each of a matrix's rows starts at a multiple of 16 bytes: cuBLASLt has kernels for
/// others, but without the matrix units' widest loads. As many as there are where that would cost more than a
/// quarter of the memory.
[[nodiscard]] std::int64_t alignedRow(std::int64_t elements, ElementType type);

} // namespace warpwright
