// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Rewrites a graph node by node, replacing some nodes by equivalent ones.
class GraphRewriter {
public:
    explicit GraphRewriter(const ReferenceGraph &graph);

    /// `rewritten(position)` returns the position in the new graph of what replaces the old node; it appends
    /// that, mostly by `append(moved(position))`. Called in graph order, once for each node.
    ReferenceGraph run(const std::function<int(int position)> &rewritten);

    /// A node of the old graph.
    [[nodiscard]] const GraphNode &old(int position) const;
    /// The new position of what replaces an old node.
    [[nodiscard]] int newPositionOf(int old) const;
    /// A node of the old graph, or one derived from it, with its operands renumbered for the new graph.
    [[nodiscard]] GraphNode moved(GraphNode node) const;
    [[nodiscard]] GraphNode moved(int position) const { return moved(old(position)); }
    /// A node of the new graph.
    [[nodiscard]] const GraphNode &written(int position) const;
    int append(GraphNode node);
    /// An operator with a contiguous result, and with the name and type of `like`.
    int append(const GraphNode &like, const char *op, const Shape &shape,
               std::vector<GraphArgument> arguments);

private:
    const ReferenceGraph &m_graph;
    std::vector<int> m_newPositions; ///< of the old nodes in the new graph
    ReferenceGraph m_result;
};

/// The consumers of each node, one entry for each use; -1: it is a result of the graph.
[[nodiscard]] std::vector<std::vector<int>> readersOf(const ReferenceGraph &graph);

} // namespace warpwright
