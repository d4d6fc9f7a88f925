// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/graph_rewriter.h"

namespace warpwright {

GraphRewriter::GraphRewriter(const ReferenceGraph &graph) : m_graph(graph), m_result(graph) {
    m_result.nodes.clear();
}

ReferenceGraph GraphRewriter::run(const std::function<int(int)> &rewritten) {
    for (int position = 0; position < static_cast<int>(m_graph.nodes.size()); ++position)
        m_newPositions.push_back(rewritten(position));
    for (int &output : m_result.outputs)
        output = m_newPositions[static_cast<std::size_t>(output)];
    return std::move(m_result);
}

const GraphNode &GraphRewriter::old(int position) const {
    return m_graph.nodes[static_cast<std::size_t>(position)];
}

int GraphRewriter::newPositionOf(int old) const {
    return m_newPositions[static_cast<std::size_t>(old)];
}

GraphNode GraphRewriter::moved(GraphNode node) const {
    forEachTensor(node, [this](GraphArgument &argument) { argument.node = newPositionOf(argument.node); });
    return node;
}

const GraphNode &GraphRewriter::written(int position) const {
    return m_result.nodes[static_cast<std::size_t>(position)];
}

int GraphRewriter::append(GraphNode node) {
    m_result.nodes.push_back(std::move(node));
    return static_cast<int>(m_result.nodes.size()) - 1;
}

int GraphRewriter::append(const GraphNode &like, const char *op, const Shape &shape,
                          std::vector<GraphArgument> arguments) {
    GraphNode node;
    node.name = like.name;
    node.op = QLatin1String(op);
    node.arguments = std::move(arguments);
    node.shape = shape;
    node.strides = contiguousStrides(shape);
    node.type = like.type;
    return append(std::move(node));
}

std::vector<std::vector<int>> readersOf(const ReferenceGraph &graph) {
    std::vector<std::vector<int>> readers(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        forEachTensor(graph.nodes[i], [&](const GraphArgument &argument) {
            readers[static_cast<std::size_t>(argument.node)].push_back(static_cast<int>(i));
        });
    for (const int output : graph.outputs)
        readers[static_cast<std::size_t>(output)].push_back(-1);
    return readers;
}

} // namespace warpwright
