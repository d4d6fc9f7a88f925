// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/unfused_cost.h"

#include "agent/playbook/analysis/view_maps.h"

#include <algorithm>

namespace warpwright {

double unfusedBytes(const ReferenceGraph &graph) {
    double sum = 0;
    for (const GraphNode &node : graph.nodes) {
        if (node.kind != GraphNode::Kind::Operator || isView(node) || node.op == QLatin1String("getitem"))
            continue;
        sum += static_cast<double>(elementCount(node.shape)) * bytesOf(node.type);
        for (const GraphArgument &argument : node.arguments)
            if (argument.kind == GraphArgument::Kind::Node) {
                const GraphNode &source = graph.nodes[static_cast<std::size_t>(argument.node)];
                sum += static_cast<double>(elementCount(source.shape)) * bytesOf(source.type);
            }
    }
    return sum;
}

int unfusedKernels(const ReferenceGraph &graph) {
    return static_cast<int>(std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const GraphNode &node) {
        return node.kind == GraphNode::Kind::Operator && !isView(node) && node.op != QLatin1String("getitem");
    }));
}

} // namespace warpwright
