// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/subgraph.h"

namespace warpwright {
namespace {

int append(ReferenceGraph &graph, GraphNode node) {
    graph.nodes.push_back(std::move(node));
    return static_cast<int>(graph.nodes.size()) - 1;
}

} // namespace

Subgraph subgraphOf(const ReferenceGraph &whole, const std::vector<int> &outputs,
                    const std::function<bool(int)> &isReplaced,
                    const std::function<int(ReferenceGraph &, int)> &replacement) {
    const auto isElsewhere = [&](int node) {
        return isReplaced && isReplaced(node);
    };
    std::vector<bool> isNeeded(whole.nodes.size(), false);
    for (const int output : outputs)
        isNeeded[static_cast<std::size_t>(output)] = true;
    for (std::size_t i = whole.nodes.size(); i-- > 0;)
        if (isNeeded[i] && !isElsewhere(static_cast<int>(i)))
            forEachTensor(whole.nodes[i], [&](const GraphArgument &argument) {
                isNeeded[static_cast<std::size_t>(argument.node)] = true;
            });
    Subgraph part;
    part.graph.argumentNames = whole.argumentNames;
    part.graph.inputCount = whole.inputCount;
    for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
        if (!isNeeded[i])
            continue;
        const auto node = static_cast<int>(i);
        if (isElsewhere(node)) {
            part.positions[node] = replacement(part.graph, node);
            continue;
        }
        GraphNode copy = whole.nodes[i];
        forEachTensor(copy,
                      [&](GraphArgument &argument) { argument.node = part.positions.at(argument.node); });
        part.positions[node] = append(part.graph, std::move(copy));
    }
    for (const int output : outputs)
        part.graph.outputs.push_back(part.positions.at(output));
    return part;
}

int appendView(ReferenceGraph &graph, const char *op, int source, const std::vector<Shape> &lists,
               const Shape &shape) {
    GraphNode view;
    view.name = QLatin1String(op);
    view.op = QLatin1String(op);
    view.arguments.push_back(nodeArgument(source));
    for (const Shape &list : lists)
        view.arguments.push_back(listArgument(list));
    view.shape = shape;
    view.strides = contiguousStrides(shape);
    view.type = graph.nodes[static_cast<std::size_t>(source)].type;
    return append(graph, std::move(view));
}

int appendSelect(ReferenceGraph &graph, int source, std::int64_t position) {
    const Shape &shape = graph.nodes[static_cast<std::size_t>(source)].shape;
    const int node = appendView(graph, "select", source, {}, {shape.begin() + 1, shape.end()});
    graph.nodes.back().arguments.push_back(numberArgument(0));
    graph.nodes.back().arguments.push_back(numberArgument(static_cast<double>(position)));
    return node;
}

int appendSlice(ReferenceGraph &graph, int source, std::int64_t first, std::int64_t count) {
    Shape shape = graph.nodes[static_cast<std::size_t>(source)].shape;
    shape[0] = count;
    const int node = appendView(graph, "slice", source, {}, shape);
    for (const std::int64_t number : {std::int64_t(0), first, first + count})
        graph.nodes.back().arguments.push_back(numberArgument(static_cast<double>(number)));
    return node;
}

} // namespace warpwright
