// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Writes a graph again, node by node, with some of them said in other words.
class GraphRewriter {
public:
    explicit GraphRewriter(const ReferenceGraph &graph);

    /// `rewritten(place)`: where in the new graph what stands for the old one's node is; it appends what that
    /// takes, mostly `append(moved(place))`. Asked in the graph's order, once for each node.
    ReferenceGraph run(const std::function<int(int position)> &rewritten);

    /// Of the graph before.
    [[nodiscard]] const GraphNode &old(int position) const;
    /// Where what stands for an old node is now.
    [[nodiscard]] int newPositionOf(int old) const;
    /// A node, the old graph's at this place or what was made of one, with its operands where they are now.
    [[nodiscard]] GraphNode moved(GraphNode node) const;
    [[nodiscard]] GraphNode moved(int position) const { return moved(old(position)); }
    /// Of the graph that is being written.
    [[nodiscard]] const GraphNode &written(int position) const;
    int append(GraphNode node);
    /// An operator whose result lies by rows, called as `like` is.
    int append(const GraphNode &like, const char *op, const Shape &shape,
               std::vector<GraphArgument> arguments);

private:
    const ReferenceGraph &m_graph;
    std::vector<int> m_newPositions; ///< of the old nodes in the new graph
    ReferenceGraph m_result;
};

/// Who reads each node, as often as it does; -1: whoever gets the results.
[[nodiscard]] std::vector<std::vector<int>> readersOf(const ReferenceGraph &graph);

} // namespace warpwright
