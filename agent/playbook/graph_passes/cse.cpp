// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/cse.h"

#include <QHash>

#include <algorithm>

namespace warpwright {
namespace {

// Names are for people: nodes that differ only in name are the same.
bool isSame(const GraphNode &one, const GraphNode &other) {
    return one.op == other.op && one.isTensor == other.isTensor && one.type == other.type &&
           one.shape == other.shape && one.strides == other.strides && one.offset == other.offset &&
           one.arguments == other.arguments && one.keywords == other.keywords;
}

size_t keyOf(const GraphNode &node) {
    size_t key = qHash(node.op);
    forEachTensor(node, [&key](const GraphArgument &argument) { key = qHashMulti(key, argument.node); });
    return key;
}

} // namespace

ReferenceGraph eliminateCommonSubexpressions(const ReferenceGraph &graph) {
    ReferenceGraph result = graph;
    result.nodes.clear();
    std::vector<int> positions; // by node of the old graph: its node in the new one
    QMultiHash<size_t, int> known;
    for (const GraphNode &before : graph.nodes) {
        GraphNode node = before;
        forEachTensor(node, [&positions](GraphArgument &argument) {
            argument.node = positions[static_cast<std::size_t>(argument.node)];
        });
        const bool isOperator = node.kind == GraphNode::Kind::Operator;
        const size_t key = isOperator ? keyOf(node) : 0;
        const auto same = isOperator ? known.values(key) : QList<int>();
        const auto found = std::find_if(same.begin(), same.end(), [&](int position) {
            return isSame(result.nodes[static_cast<std::size_t>(position)], node);
        });
        if (found != same.end()) {
            positions.push_back(*found);
            continue;
        }
        positions.push_back(static_cast<int>(result.nodes.size()));
        if (isOperator)
            known.insert(key, positions.back());
        result.nodes.push_back(std::move(node));
    }
    for (int &output : result.outputs)
        output = positions[static_cast<std::size_t>(output)];
    return result;
}

} // namespace warpwright
