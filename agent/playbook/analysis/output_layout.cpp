// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/output_layout.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"

#include <QSet>

#include <algorithm>
#include <functional>
#include <numeric>

namespace warpwright {
namespace {

std::vector<std::size_t> fromOutermost(const Shape &shape, const Shape &strides) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    // Dimensions of size 1 come first among equal strides: their stride does not matter.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return strides[a] != strides[b] ? strides[a] > strides[b] : shape[a] < shape[b];
    });
    return order;
}

// Strides of other results depend on the device's implementation, and the graph was not traced there.
bool keepsOrder(const GraphNode &node) {
    static const QSet<QString> more = {QStringLiteral("getitem"), QStringLiteral("max_pool2d_with_indices"),
                                       QStringLiteral("avg_pool2d")};
    return node.kind != GraphNode::Kind::Operator || isView(node) || more.contains(node.op) ||
           isPointwise(node);
}

bool isCertain(const ReferenceGraph &graph, int output) {
    std::vector<bool> seen(graph.nodes.size(), false);
    const std::function<bool(int)> isSo = [&](int position) {
        if (seen[static_cast<std::size_t>(position)])
            return true;
        seen[static_cast<std::size_t>(position)] = true;
        const GraphNode &node = graph.nodes[static_cast<std::size_t>(position)];
        return keepsOrder(node) &&
               std::all_of(node.arguments.begin(), node.arguments.end(), [&](const GraphArgument &argument) {
                   return argument.kind != GraphArgument::Kind::Node || isSo(argument.node);
               });
    };
    return isSo(output);
}

} // namespace

TensorLayout layoutOfOutput(const ReferenceGraph &graph, int node) {
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    const TensorLayout contiguous = contiguousLayout(what.shape);
    if (what.strides == contiguous.strides || what.strides.size() != what.shape.size() || what.offset != 0 ||
        what.shape.empty() || !isCertain(graph, node))
        return contiguous;
    const std::vector<std::size_t> order = fromOutermost(what.shape, what.strides);
    const TensorLayout transposed = layoutInOrder(what.shape, order, 1, what.shape[order.back()]);
    return transposed.strides == what.strides ? transposed : contiguous;
}

std::vector<std::size_t> memoryOrder(const TensorLayout &layout) {
    if (layout.strides == contiguousStrides(layout.shape))
        return {}; // also if a dimension of size 1 has its neighbour's stride
    const std::vector<std::size_t> order = fromOutermost(layout.shape, layout.strides);
    std::vector<std::size_t> positions(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        positions[order[i]] = i;
    return positions;
}

} // namespace warpwright
