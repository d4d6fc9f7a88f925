// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/materialize_gathers.h"

#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"

#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t leastTimes = 16; ///< uses of each element
constexpr double leastBytes = 64e6;     ///< of the consumer; below it a launch is no gain
constexpr double mostBytes = 8e6;       ///< of the gathered tensor: it stays in the caches

bool isGather(const ReferenceGraph &graph, const GraphNode &node) {
    const QString op = opNameOf(node);
    if (node.kind != GraphNode::Kind::Operator || !isFloating(node.type) ||
        (op != QLatin1String("index") && op != QLatin1String("embedding") && op != QLatin1String("gather") &&
         op != QLatin1String("index_select")))
        return false;
    // A table gathered by arange is in memory as it is.
    bool isSomewhere = false;
    forEachTensor(node, [&](const GraphArgument &argument) {
        const GraphNode &indices = graph.nodes[static_cast<std::size_t>(belowViews(graph, argument.node))];
        isSomewhere =
            isSomewhere || (!isFloating(indices.type) && opNameOf(indices) != QLatin1String("arange"));
    });
    return isSomewhere;
}

} // namespace

std::vector<int> materializedGathers(const ReferenceGraph &graph) {
    const auto at = [&graph](int node) -> const GraphNode & {
        return graph.nodes[static_cast<std::size_t>(node)];
    };
    const auto bytes = [](const GraphNode &node) {
        return static_cast<double>(elementCount(node.shape)) * bytesOf(node.type);
    };
    std::set<int> found;
    for (const GraphNode &reader : graph.nodes) {
        if (reader.kind != GraphNode::Kind::Operator || !reader.isTensor || !isPointwise(reader) ||
            bytes(reader) < leastBytes)
            continue;
        forEachTensor(reader, [&](const GraphArgument &argument) {
            const std::int64_t count = elementCount(at(argument.node).shape);
            int read = argument.node; // as it is read, before broadcasting
            while (isView(at(read)) &&
                   elementCount(at(at(read).arguments[0].node).shape) < elementCount(at(read).shape))
                read = at(read).arguments[0].node;
            const int base = belowViews(graph, read);
            const bool isSmall = elementCount(at(base).shape) == elementCount(at(read).shape) &&
                                 bytes(at(read)) <= mostBytes && count > 1 &&
                                 elementCount(reader.shape) >= leastTimes * elementCount(at(read).shape);
            if (isSmall && isGather(graph, at(base)))
                found.insert(read);
        });
    }
    return {found.begin(), found.end()};
}

} // namespace warpwright
