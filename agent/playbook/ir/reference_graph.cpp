// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/reference_graph.h"

#include <functional>
#include <numeric>

namespace warpwright {

Shape GraphArgument::integers() const {
    if (kind == Kind::Number)
        return {static_cast<std::int64_t>(number)};
    Shape values;
    for (const GraphArgument &item : items)
        values.push_back(static_cast<std::int64_t>(item.number));
    return values;
}

const GraphArgument *GraphNode::argument(int index, const char *keyword) const {
    if (index >= 0 && index < static_cast<int>(arguments.size()))
        return &arguments[static_cast<std::size_t>(index)];
    for (const auto &[word, value] : keywords)
        if (keyword != nullptr && word == QLatin1String(keyword))
            return &value;
    return nullptr;
}

bool dependsOn(const ReferenceGraph &graph, int node, int other) {
    std::vector<bool> needsIt(graph.nodes.size(), false);
    for (int i = other; i <= node; ++i) {
        bool needs = i == other;
        forEachTensor(graph.nodes[static_cast<std::size_t>(i)], [&](const GraphArgument &argument) {
            needs = needs || needsIt[static_cast<std::size_t>(argument.node)];
        });
        needsIt[static_cast<std::size_t>(i)] = needs;
    }
    return node >= other && needsIt[static_cast<std::size_t>(node)];
}

std::int64_t elementCount(const Shape &shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t(1), std::multiplies<>());
}

Shape contiguousStrides(const Shape &shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

GraphArgument nodeArgument(int node) {
    GraphArgument argument;
    argument.kind = GraphArgument::Kind::Node;
    argument.node = node;
    return argument;
}

GraphArgument numberArgument(double number) {
    GraphArgument argument;
    argument.kind = GraphArgument::Kind::Number;
    argument.number = number;
    return argument;
}

GraphArgument listArgument(const Shape &numbers) {
    GraphArgument list;
    list.kind = GraphArgument::Kind::List;
    for (const std::int64_t number : numbers)
        list.items.push_back(numberArgument(static_cast<double>(number)));
    return list;
}

} // namespace warpwright
