// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <functional>
#include <map>

namespace warpwright {

/// A part of a graph as a graph: what some nodes need, with others in the place of some of it.
struct Subgraph {
    ReferenceGraph graph;
    std::map<int, int> positions; ///< by node of the whole graph: what it is here
};

/// `isReplaced`: nodes of the whole graph for which `replacement` appends nodes to the part's and returns the
/// last one's place.
[[nodiscard]] Subgraph subgraphOf(const ReferenceGraph &whole, const std::vector<int> &outputs,
                                  const std::function<bool(int)> &isReplaced = {},
                                  const std::function<int(ReferenceGraph &, int)> &replacement = {});

/// Nodes that look at `source` (a place in `graph`) in another way: appended, their place is returned.
[[nodiscard]] int appendView(ReferenceGraph &graph, const char *op, int source,
                             const std::vector<Shape> &lists, const Shape &shape);
/// Of the first dimension: one place, or some neighbours.
[[nodiscard]] int appendSelect(ReferenceGraph &graph, int source, std::int64_t position);
[[nodiscard]] int appendSlice(ReferenceGraph &graph, int source, std::int64_t first, std::int64_t count);

} // namespace warpwright
