// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/own_anchors.h"

#include "agent/playbook/lowering/scatter_plan.h"
#include "agent/playbook/lowering/sort_plan.h"

namespace warpwright {

bool isOwnAnchor(const ReferenceGraph &graph, const GraphNode &node) {
    return isScatteredRows(graph, node) || isSortedRows(graph, node);
}

AnchorKernel ownAnchorKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    return isScatteredRows(graph, graph.nodes[static_cast<std::size_t>(node)])
               ? scatterKernel(graph, known, node)
               : sortKernel(graph, known, node);
}

} // namespace warpwright
