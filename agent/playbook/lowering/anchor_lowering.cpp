// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's anchors: what a library has computed before, and products that are rows of sums.
#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/ir/buffer_layout.h"
#include "agent/playbook/lowering/kernel_lowering.h"
#include "agent/playbook/lowering/own_anchors.h"

namespace warpwright {

std::optional<int> KernelLowering::lowerAnchor(int place, const GraphNode &node, const IndexMap &map) {
    if (isConvolution(node))
        return lowerConvolution(place, node, map);
    if (isOwnAnchor(m_graph, m_graph.nodes[static_cast<std::size_t>(place)])) {
        m_cut = place; // by a kernel of its own, before this one
        return -1;
    }
    if (!isProduct(node) || !isFloating(node.type))
        return std::nullopt;
    if (!isMatrixProduct(m_graph, node))
        return lowerProduct(place, node, map);
    m_cut = place; // by a library, before this kernel
    return -1;
}

// A library has made it, before this kernel, but for its bias.
int KernelLowering::lowerConvolution(int place, const GraphNode &node, const IndexMap &map) {
    const auto bare = m_known.find(withoutBias(place));
    if (bare == m_known.end()) {
        m_cut = place;
        return -1;
    }
    const int sum = loadKnown(bare->second, node, map);
    if (sum < 0 || !hasBias(node))
        return sum;
    // One that is computed is computed before: then a library may add it.
    const int given = belowViews(m_graph, node.arguments[2].node);
    if (!m_known.contains(given) &&
        m_graph.nodes[static_cast<std::size_t>(given)].kind == GraphNode::Kind::Operator) {
        m_cut = given;
        return -1;
    }
    const int bias = lower(node.arguments[2].node, {map[1]});
    const ElementType type = computedType(node.type);
    return bias < 0 ? bias : m_kernel.add(KernelOp::Add, type, {sum, m_kernel.converted(bias, type)});
}

// One summand of a product's element: the row's and the column's elements at `along`.
int KernelLowering::multiplied(const GraphNode &product, const IndexMap &map, const AffineIndex &along) {
    const ElementType type = computedType(product.type);
    std::vector<int> steps;
    for (const std::size_t which : {0U, 1U}) {
        IndexMap source(map.begin(), map.end() - 2);
        source.push_back(which == 0 ? map[map.size() - 2] : along);
        source.push_back(which == 0 ? along : map[map.size() - 1]);
        const int step = lower(product.arguments[which].node, source);
        if (step < 0)
            return -1;
        steps.push_back(m_kernel.converted(step, type));
    }
    return m_kernel.add(KernelOp::Multiply, type, steps);
}

// A product over so few elements that each result is said as it is: colours in other colours, coordinates of
// a point. It goes along with what is before and after it.
int KernelLowering::lowerShortProduct(const GraphNode &node, const IndexMap &map) {
    constexpr std::int64_t mostRepeated = 8; // what is computed for each result is computed again
    const int operands[2] = {node.arguments[0].node, node.arguments[1].node};
    const Shape &first = m_graph.nodes[static_cast<std::size_t>(operands[0])].shape;
    const std::int64_t repeats[2] = {node.shape.back(), first[first.size() - 2]};
    for (const int which : {0, 1}) {
        const int base = belowViews(m_graph, operands[which]);
        const bool isComputed =
            m_graph.nodes[static_cast<std::size_t>(base)].kind == GraphNode::Kind::Operator;
        if (isComputed && !m_known.contains(base) && repeats[which] > mostRepeated) {
            m_cut = base;
            return -1;
        }
    }
    const ElementType type = computedType(node.type);
    int sum = -1;
    for (std::int64_t k = 0; k < first.back(); ++k) {
        const int product = multiplied(node, map, constantIndex(k, m_sizes.size()));
        if (product < 0)
            return -1;
        sum = sum < 0 ? product : m_kernel.add(KernelOp::Add, type, {sum, product});
    }
    return sum;
}

// A product with one row or one column: sums over rows of the matrix times the vector, at the memory's speed.
int KernelLowering::lowerProduct(int place, const GraphNode &node, const IndexMap &map) {
    const int operands[2] = {node.arguments[0].node, node.arguments[1].node};
    const Shape &first = m_graph.nodes[static_cast<std::size_t>(operands[0])].shape;
    const std::int64_t inner = first.back();
    if (inner == 0) // a sum of nothing
        return m_kernel.number(0, computedType(node.type));
    if (inner > 1 && inner <= mostShortInner)
        return lowerShortProduct(node, map);
    const bool isRow = first[first.size() - 2] == 1;
    // Of the vector each row needs every element: it is computed once, before.
    const int vector = belowViews(m_graph, operands[isRow ? 0 : 1]);
    if (inner > 1 && !m_known.contains(vector)) {
        m_cut = vector;
        return -1;
    }
    AffineIndex along = constantIndex(0, m_sizes.size());
    if (inner > 1) {
        const auto digits = rowDigits(place, map, {inner});
        if (!digits)
            return -1;
        along = (*digits)[0];
    }
    const int product = multiplied(node, map, along);
    return product >= 0 && inner > 1 ? m_kernel.add(KernelOp::RowSum, computedType(node.type), {product})
                                     : product;
}

} // namespace warpwright
