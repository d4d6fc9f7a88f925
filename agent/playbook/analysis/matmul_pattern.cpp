// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/matmul_pattern.h"

#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/tensor_layout.h"

namespace warpwright {

bool isMatmul(const GraphNode &node) {
    return node.op == QLatin1String("mm") || node.op == QLatin1String("bmm");
}

const GraphNode &operandOf(const ReferenceGraph &graph, const GraphNode &node, std::size_t which) {
    return graph.nodes[static_cast<std::size_t>(node.arguments[which].node)];
}

bool isBlasMatmul(const ReferenceGraph &graph, const GraphNode &node) {
    if (!isMatmul(node) || !isFloating(node.type))
        return false;
    const Shape &first = operandOf(graph, node, 0).shape;
    return first[first.size() - 2] > 1 && node.shape.back() > 1 && first.back() > maxPointwiseInner;
}

bool hasUnalignedRows(const ReferenceGraph &graph, const GraphNode &node) {
    constexpr double leastOperations = 1e9;     // of a matmul that is worth another launch
    constexpr double leastOperationsEach = 512; // for each element of the copy
    const double elements = static_cast<double>(elementCount(node.shape));
    const double each = 2.0 * static_cast<double>(operandOf(graph, node, 0).shape.back());
    return bytesOf(node.type) == 2 && alignedRow(node.shape.back(), node.type) != node.shape.back() &&
           elements * each >= leastOperations && each >= leastOperationsEach;
}

bool isPlainLoad(const Kernel &kernel, int step) {
    if (step < 0 || kernel.step(step).op != Opcode::Load || kernel.step(step).isGuarded)
        return false;
    return kernel.inputs[static_cast<std::size_t>(kernel.step(step).input)].isPlain();
}

int belowViews(const ReferenceGraph &graph, int node) {
    for (;;) {
        const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
        const bool hasSource = !what.arguments.empty() && what.arguments[0].kind == GraphArgument::Kind::Node;
        if (!hasSource)
            return node;
        const int source = what.arguments[0].node;
        if (isView(what)) {
            node = source;
            continue;
        }
        // An item of several results: split and unbind are views as well.
        const GraphNode &many = graph.nodes[static_cast<std::size_t>(source)];
        static const QStringList splits = {QStringLiteral("split"), QStringLiteral("split_with_sizes"),
                                           QStringLiteral("unbind")};
        if (what.op != QLatin1String("getitem") || !splits.contains(many.op.section(QLatin1Char('.'), 0, 0)))
            return node;
        node = many.arguments[0].node;
    }
}

} // namespace warpwright
