// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/tensor_layout.h"

namespace warpwright {

TensorLayout contiguousLayout(const Shape &shape) {
    return {shape, contiguousStrides(shape), 0, shape};
}

TensorLayout layoutOfInput(const GraphNode &input) {
    return {input.shape, input.strides, input.offset, input.shape};
}

TensorLayout layoutInOrder(const Shape &shape, const std::vector<std::size_t> &order,
                           std::size_t rowDimensions, std::int64_t rowElements) {
    TensorLayout layout{shape, Shape(shape.size(), 0), 0, {}};
    std::int64_t span = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        if (i + rowDimensions + 1 == order.size())
            span = rowElements;
        layout.strides[order[i]] = span;
        span *= shape[order[i]];
    }
    for (std::size_t i = 0; i + rowDimensions < order.size(); ++i)
        layout.memory.push_back(shape[order[i]]);
    layout.memory.push_back(rowElements);
    return layout;
}

std::int64_t alignedRow(std::int64_t elements, ElementType type) {
    constexpr std::int64_t alignment = 16; // bytes
    const std::int64_t multiple = alignment / bytesOf(type);
    const std::int64_t aligned = (elements + multiple - 1) / multiple * multiple;
    return (aligned - elements) * 4 <= elements ? aligned : elements;
}

} // namespace warpwright
