// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <map>

/// How the tensors of a program lie in memory: values.
namespace warpwright {

/// A tensor's layout: torch's for inputs and outputs, any order for temporaries.
struct TensorLayout {
    Shape shape;   ///< the tensor's; a dimension may be split into several, in order
    Shape strides; ///< of these, in elements
    std::int64_t offset = 0;
    Shape memory; ///< sizes of what is allocated, from the outermost

    /// Every element of the memory belongs to the tensor.
    [[nodiscard]] bool isDense() const { return elementCount(memory) == elementCount(shape); }
    bool operator==(const TensorLayout &) const = default;
};

/// The memory of a tensor that is an input or was already computed.
struct KnownBuffer {
    int buffer = -1; ///< of the program
    TensorLayout layout;

    bool operator==(const KnownBuffer &) const = default;
};

/// By node of the graph: what a kernel may read.
using KnownBuffers = std::map<int, KnownBuffer>;
/// The key of a convolution's result before its bias is added.
[[nodiscard]] constexpr int withoutBias(int node) {
    return -1 - node;
}

/// As torch returns new tensors.
[[nodiscard]] TensorLayout contiguousLayout(const Shape &shape);
/// As the input's or parameter's own strides say.
[[nodiscard]] TensorLayout layoutOfInput(const GraphNode &input);
/// The dimensions in this order, outermost first. The last `rowDimensions` of them form a row, padded to
/// `rowElements`.
[[nodiscard]] TensorLayout layoutInOrder(const Shape &shape, const std::vector<std::size_t> &order,
                                         std::size_t rowDimensions, std::int64_t rowElements);

/// The row length that aligns each row of a matrix to 16 bytes: for others cuBLASLt has only kernels with
/// narrower loads. Unchanged where padding would cost more than a quarter of the memory.
[[nodiscard]] std::int64_t alignedRow(std::int64_t elements, ElementType type);

} // namespace warpwright
