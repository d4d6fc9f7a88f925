// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <functional>
#include <map>

namespace warpwright {

/// A part of a graph as a graph: what some outputs depend on, with some nodes replaced.
struct Subgraph {
    ReferenceGraph graph;
    std::map<int, int> positions; ///< by node of the whole graph: its position here
};

/// `isReplaced`: nodes of the whole graph for which `replacement` appends nodes to the subgraph and returns
/// the position of the last one.
[[nodiscard]] Subgraph subgraphOf(const ReferenceGraph &whole, const std::vector<int> &outputs,
                                  const std::function<bool(int)> &isReplaced = {},
                                  const std::function<int(ReferenceGraph &, int)> &replacement = {});

/// Appends a view of `source` (a position in `graph`); returns its position.
[[nodiscard]] int appendView(ReferenceGraph &graph, const char *op, int source,
                             const std::vector<Shape> &lists, const Shape &shape);
/// Along the first dimension: one index, or a range.
[[nodiscard]] int appendSelect(ReferenceGraph &graph, int source, std::int64_t position);
[[nodiscard]] int appendSlice(ReferenceGraph &graph, int source, std::int64_t first, std::int64_t count);

} // namespace warpwright
