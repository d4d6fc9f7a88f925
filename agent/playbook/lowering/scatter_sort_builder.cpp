// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/scatter_sort_builder.h"

#include "agent/playbook/lowering/scatter_builder.h"
#include "agent/playbook/lowering/sort_builder.h"

namespace warpwright {

bool isScatterOrSort(const ReferenceGraph &graph, const GraphNode &node) {
    return isRowScatter(graph, node) || isSortResult(graph, node);
}

StructuredKernel scatterOrSortKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    return isRowScatter(graph, graph.nodes[static_cast<std::size_t>(node)])
               ? scatterKernel(graph, known, node)
               : sortKernel(graph, known, node);
}

} // namespace warpwright
