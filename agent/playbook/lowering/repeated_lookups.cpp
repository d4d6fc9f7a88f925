// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/repeated_lookups.h"

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/product_plan.h"

#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t leastTimes = 16; ///< that each element is used
constexpr double leastBytes = 64e6;     ///< of what it is used for: below it a launch is no gain
constexpr double mostBytes = 8e6;       ///< of what is looked up: it stays in the caches

bool isLookUp(const ReferenceGraph &graph, const GraphNode &node) {
    const QString op = wordOf(node);
    if (node.kind != GraphNode::Kind::Operator || !isFloating(node.type) ||
        (op != QLatin1String("index") && op != QLatin1String("embedding") && op != QLatin1String("gather") &&
         op != QLatin1String("index_select")))
        return false;
    // A table of places, read at all of them in order, is in memory as it is.
    bool isSomewhere = false;
    forEachTensor(node, [&](const GraphArgument &argument) {
        const GraphNode &places = graph.nodes[static_cast<std::size_t>(belowViews(graph, argument.node))];
        isSomewhere = isSomewhere || (!isFloating(places.type) && wordOf(places) != QLatin1String("arange"));
    });
    return isSomewhere;
}

} // namespace

std::vector<int> repeatedLookUps(const ReferenceGraph &graph) {
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
            int read = argument.node; // as it is read, before it is repeated
            while (isView(at(read)) &&
                   elementCount(at(at(read).arguments[0].node).shape) < elementCount(at(read).shape))
                read = at(read).arguments[0].node;
            const int base = belowViews(graph, read);
            const bool isSmall = elementCount(at(base).shape) == elementCount(at(read).shape) &&
                                 bytes(at(read)) <= mostBytes && count > 1 &&
                                 elementCount(reader.shape) >= leastTimes * elementCount(at(read).shape);
            if (isSmall && isLookUp(graph, at(base)))
                found.insert(read);
        });
    }
    return {found.begin(), found.end()};
}

} // namespace warpwright
