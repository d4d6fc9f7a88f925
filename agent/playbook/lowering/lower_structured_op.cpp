// SPDX-License-Identifier: GPL-3.0-or-later
// Structured ops, which an earlier kernel has computed, and matmuls that are reductions of this one.
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/lowering/operator_families.h"
#include "agent/playbook/lowering/reduction_domain.h"
#include "agent/playbook/lowering/scatter_sort_builder.h"

namespace warpwright {
namespace {

bool takesConvolution(const ReferenceGraph &, const NodeAt &at) {
    return isConvolution(at.node);
}

// A library has computed it before this kernel, without its bias.
int lowerConvolution(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const auto bare = context.known().find(withoutBias(at.result));
    if (bare == context.known().end())
        return context.requireBuffer(at.result);
    const int sum = context.load(bare->second, node, at.map);
    if (sum < 0 || !hasBias(node))
        return sum;
    // A bias that is computed is materialized first: then a library may add it.
    const int given = belowViews(context.graph(), node.arguments[2].node);
    if (!context.known().contains(given) && context.nodeAt(given).kind == GraphNode::Kind::Operator)
        return context.requireBuffer(given);
    const int bias = context.lower(node.arguments[2].node, {at.map[1]});
    const ElementType type = computeType(node.type);
    Kernel &kernel = context.kernel();
    return bias < 0 ? bias : kernel.add(Opcode::Add, type, {sum, kernel.converted(bias, type)});
}

bool takesScatterOrSort(const ReferenceGraph &graph, const NodeAt &at) {
    return isScatterOrSort(graph, graph.nodes[static_cast<std::size_t>(at.result)]);
}

// Computed by a kernel of its own, before this one.
int lowerScatterOrSort(LoweringContext &context, const NodeAt &at) {
    return context.requireBuffer(at.result);
}

// One term of a matmul's element: the operands' elements at inner index `along`.
int multiplied(LoweringContext &context, const NodeAt &matmul, const AffineExpr &along) {
    const AffineMap &map = matmul.map;
    const ElementType type = computeType(matmul.node.type);
    std::vector<int> steps;
    for (const std::size_t which : {0U, 1U}) {
        AffineMap source(map.begin(), map.end() - 2);
        source.push_back(which == 0 ? map[map.size() - 2] : along);
        source.push_back(which == 0 ? along : map[map.size() - 1]);
        const int step = context.lower(matmul.node.arguments[which].node, source);
        if (step < 0)
            return -1;
        steps.push_back(context.kernel().converted(step, type));
    }
    return context.kernel().add(Opcode::Multiply, type, steps);
}

// A matmul over so few elements that each result is unrolled (colour conversions, coordinates of a point): it
// fuses with what is before and after it.
int lowerUnrolledMatmul(LoweringContext &context, const NodeAt &at) {
    constexpr std::int64_t mostRepeated = 8; // results for which an operand is recomputed
    const int operands[2] = {at.node.arguments[0].node, at.node.arguments[1].node};
    const Shape &first = context.nodeAt(operands[0]).shape;
    const std::int64_t repeats[2] = {at.node.shape.back(), first[first.size() - 2]};
    for (const int which : {0, 1}) {
        const int base = belowViews(context.graph(), operands[which]);
        const bool isComputed = context.nodeAt(base).kind == GraphNode::Kind::Operator;
        if (isComputed && !context.known().contains(base) && repeats[which] > mostRepeated)
            return context.requireBuffer(base);
    }
    const ElementType type = computeType(at.node.type);
    int sum = -1;
    for (std::int64_t k = 0; k < first.back(); ++k) {
        const int term = multiplied(context, at, context.indices().constant(k));
        if (term < 0)
            return -1;
        sum = sum < 0 ? term : context.kernel().add(Opcode::Add, type, {sum, term});
    }
    return sum;
}

// A matrix-vector product: memory-bound sums over rows of the matrix times the vector.
int lowerGemv(LoweringContext &context, const NodeAt &at) {
    const int operands[2] = {at.node.arguments[0].node, at.node.arguments[1].node};
    const Shape &first = context.nodeAt(operands[0]).shape;
    const ElementType type = computeType(at.node.type);
    const std::int64_t inner = first.back();
    if (inner == 0) // an empty sum
        return context.kernel().number(0, type);
    if (inner > 1 && inner <= maxPointwiseInner)
        return lowerUnrolledMatmul(context, at);
    const bool isRow = first[first.size() - 2] == 1;
    // Each row reads the whole vector: it is materialized first.
    const int vector = belowViews(context.graph(), operands[isRow ? 0 : 1]);
    if (inner > 1 && !context.known().contains(vector))
        return context.requireBuffer(vector);
    AffineExpr along = context.indices().constant(0);
    if (inner > 1) {
        const auto digits = reductionIndices(context, at.result, at.map, {inner});
        if (!digits)
            return -1;
        along = (*digits)[0];
    }
    const int term = multiplied(context, at, along);
    return term >= 0 && inner > 1 ? context.kernel().add(Opcode::RowSum, type, {term}) : term;
}

bool takesMatmul(const ReferenceGraph &, const NodeAt &at) {
    return isMatmul(at.node) && isFloating(at.node.type);
}

int lowerMatmul(LoweringContext &context, const NodeAt &at) {
    // By a library, before this kernel.
    return isBlasMatmul(context.graph(), at.node) ? context.requireBuffer(at.result) : lowerGemv(context, at);
}

} // namespace

const OperatorFamily convolutionFamily{takesConvolution, lowerConvolution};
const OperatorFamily scatterSortFamily{takesScatterOrSort, lowerScatterOrSort};
const OperatorFamily matmulFamily{takesMatmul, lowerMatmul};

} // namespace warpwright
