// SPDX-License-Identifier: GPL-3.0-or-later
// Anchors: what a library or a kernel of its own has computed before, and products that are rows of sums.
#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/lowering/operator_families.h"
#include "agent/playbook/lowering/own_anchors.h"
#include "agent/playbook/lowering/reduced_rows.h"

namespace warpwright {
namespace {

bool takesConvolution(const ReferenceGraph &, const NodeAt &at) {
    return isConvolution(at.node);
}

// A library has made it, before this kernel, but for its bias.
int lowerConvolution(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const auto bare = context.known().find(withoutBias(at.result));
    if (bare == context.known().end())
        return context.need(at.result);
    const int sum = context.load(bare->second, node, at.map);
    if (sum < 0 || !hasBias(node))
        return sum;
    // One that is computed is computed before: then a library may add it.
    const int given = belowViews(context.graph(), node.arguments[2].node);
    if (!context.known().contains(given) && context.nodeAt(given).kind == GraphNode::Kind::Operator)
        return context.need(given);
    const int bias = context.lower(node.arguments[2].node, {at.map[1]});
    const ElementType type = computedType(node.type);
    FusedKernel &kernel = context.kernel();
    return bias < 0 ? bias : kernel.add(KernelOp::Add, type, {sum, kernel.converted(bias, type)});
}

bool takesOwnAnchor(const ReferenceGraph &graph, const NodeAt &at) {
    return isOwnAnchor(graph, graph.nodes[static_cast<std::size_t>(at.result)]);
}

// By a kernel of its own, before this one.
int lowerOwnAnchor(LoweringContext &context, const NodeAt &at) {
    return context.need(at.result);
}

// One summand of a product's element: the row's and the column's elements at `along`.
int multiplied(LoweringContext &context, const NodeAt &product, const AffineIndex &along) {
    const IndexMap &map = product.map;
    const ElementType type = computedType(product.node.type);
    std::vector<int> steps;
    for (const std::size_t which : {0U, 1U}) {
        IndexMap source(map.begin(), map.end() - 2);
        source.push_back(which == 0 ? map[map.size() - 2] : along);
        source.push_back(which == 0 ? along : map[map.size() - 1]);
        const int step = context.lower(product.node.arguments[which].node, source);
        if (step < 0)
            return -1;
        steps.push_back(context.kernel().converted(step, type));
    }
    return context.kernel().add(KernelOp::Multiply, type, steps);
}

// A product over so few elements that each result is said as it is: colours in other colours, coordinates of
// a point. It goes along with what is before and after it.
int lowerShortProduct(LoweringContext &context, const NodeAt &at) {
    constexpr std::int64_t mostRepeated = 8; // what is computed for each result is computed again
    const int operands[2] = {at.node.arguments[0].node, at.node.arguments[1].node};
    const Shape &first = context.nodeAt(operands[0]).shape;
    const std::int64_t repeats[2] = {at.node.shape.back(), first[first.size() - 2]};
    for (const int which : {0, 1}) {
        const int base = belowViews(context.graph(), operands[which]);
        const bool isComputed = context.nodeAt(base).kind == GraphNode::Kind::Operator;
        if (isComputed && !context.known().contains(base) && repeats[which] > mostRepeated)
            return context.need(base);
    }
    const ElementType type = computedType(at.node.type);
    int sum = -1;
    for (std::int64_t k = 0; k < first.back(); ++k) {
        const int product = multiplied(context, at, context.indices().constant(k));
        if (product < 0)
            return -1;
        sum = sum < 0 ? product : context.kernel().add(KernelOp::Add, type, {sum, product});
    }
    return sum;
}

// A product with one row or one column: sums over rows of the matrix times the vector, at the memory's speed.
int lowerVectorProduct(LoweringContext &context, const NodeAt &at) {
    const int operands[2] = {at.node.arguments[0].node, at.node.arguments[1].node};
    const Shape &first = context.nodeAt(operands[0]).shape;
    const ElementType type = computedType(at.node.type);
    const std::int64_t inner = first.back();
    if (inner == 0) // a sum of nothing
        return context.kernel().number(0, type);
    if (inner > 1 && inner <= mostShortInner)
        return lowerShortProduct(context, at);
    const bool isRow = first[first.size() - 2] == 1;
    // Of the vector each row needs every element: it is computed once, before.
    const int vector = belowViews(context.graph(), operands[isRow ? 0 : 1]);
    if (inner > 1 && !context.known().contains(vector))
        return context.need(vector);
    AffineIndex along = context.indices().constant(0);
    if (inner > 1) {
        const auto digits = rowDigits(context, at.result, at.map, {inner});
        if (!digits)
            return -1;
        along = (*digits)[0];
    }
    const int product = multiplied(context, at, along);
    return product >= 0 && inner > 1 ? context.kernel().add(KernelOp::RowSum, type, {product}) : product;
}

bool takesProduct(const ReferenceGraph &, const NodeAt &at) {
    return isProduct(at.node) && isFloating(at.node.type);
}

int lowerProduct(LoweringContext &context, const NodeAt &at) {
    // By a library, before this kernel.
    return isMatrixProduct(context.graph(), at.node) ? context.need(at.result)
                                                     : lowerVectorProduct(context, at);
}

} // namespace

const OperatorFamily convolutionFamily{takesConvolution, lowerConvolution};
const OperatorFamily ownAnchorFamily{takesOwnAnchor, lowerOwnAnchor};
const OperatorFamily productFamily{takesProduct, lowerProduct};

} // namespace warpwright
