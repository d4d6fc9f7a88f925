// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/split_concat.h"

#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostParts = 24;
constexpr std::size_t partsOfEach = 12;

bool isLargeConcat(const GraphNode &node) {
    return (node.op == QLatin1String("cat") || node.op.startsWith(QLatin1String("cat."))) &&
           !node.arguments.empty() && node.arguments[0].items.size() > mostParts &&
           std::all_of(node.arguments[0].items.begin(), node.arguments[0].items.end(),
                       [](const GraphArgument &item) { return item.kind == GraphArgument::Kind::Node; });
}

} // namespace

ReferenceGraph withSplitConcats(const ReferenceGraph &graph) {
    if (std::none_of(graph.nodes.begin(), graph.nodes.end(), isLargeConcat))
        return graph;
    GraphRewriter rewriter(graph);
    return rewriter.run([&rewriter](int position) {
        GraphNode node = rewriter.moved(position);
        while (isLargeConcat(node)) {
            const std::vector<GraphArgument> items = node.arguments[0].items;
            const std::size_t dimension =
                node.arguments.size() > 1 ? dimensionOf(node.arguments[1].number, node.shape.size()) : 0;
            std::vector<GraphArgument> concats;
            for (std::size_t first = 0; first < items.size(); first += partsOfEach) {
                GraphNode part = node;
                const auto begin = items.begin() + static_cast<std::ptrdiff_t>(first);
                part.arguments[0].items.assign(
                    begin, begin + static_cast<std::ptrdiff_t>(std::min(partsOfEach, items.size() - first)));
                part.shape[dimension] = 0;
                for (const GraphArgument &item : part.arguments[0].items)
                    part.shape[dimension] += rewriter.written(item.node).shape[dimension];
                part.strides = contiguousStrides(part.shape);
                concats.push_back(nodeArgument(rewriter.append(std::move(part))));
            }
            node.arguments[0].items = concats;
        }
        return rewriter.append(std::move(node));
    });
}

} // namespace warpwright
