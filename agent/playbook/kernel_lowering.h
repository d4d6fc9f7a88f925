// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/fused_kernel.h"
#include "agent/playbook/graph_views.h"

#include <map>

namespace warpwright {

/// Where a graph's tensors lie that a kernel may read: its inputs, parameters, buffers, and what kernels
/// before it have written. By node: the place in the plan's buffers.
using KnownBuffers = std::map<int, int>;

/// The key of a convolution's result that still lacks its bias.
[[nodiscard]] constexpr int withoutBias(int node) {
    return -1 - node;
}

/// Writes nodes of a graph as steps of one kernel whose loops are given, from a result back to what is in
/// memory: views become addresses, pointwise operators steps, and reductions over exactly the kernel's rows
/// its sums. What does not fit stops it, with what would help.
class KernelLowering {
public:
    KernelLowering(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops, std::size_t outer);

    /// A reduction that was met where the loops have no rows yet.
    struct FoundReduction {
        int node = -1;
        Shape reduced;              ///< sizes of what it goes over
        std::vector<int> repeated;  ///< loops that it does not depend on
        bool isByEveryOther = true; ///< all other loops count different ones of its results
    };

    /// The step that computes `node` where `map` says. -1: it does not fit.
    int lower(int node, const IndexMap &map);

    [[nodiscard]] FusedKernel &kernel() { return m_kernel; }
    [[nodiscard]] const std::optional<LoopSplit> &split() const { return m_split; }
    [[nodiscard]] int cut() const { return m_cut; } ///< a node to be computed by a kernel before; -1: none
    [[nodiscard]] const std::optional<FoundReduction> &found() const { return m_found; }
    [[nodiscard]] const QString &cannot() const { return m_cannot; }

private:
    int lowerNew(int place, const IndexMap &map);
    int lowerOperator(int place, const GraphNode &node, const IndexMap &map);
    int lowerPointwise(int place, const GraphNode &node, const IndexMap &map);
    int lowerSpecial(const GraphNode &node, const IndexMap &map);
    int lowerItem(int place, const GraphNode &node, const IndexMap &map);
    int lowerReduction(int place, const GraphNode &node, const QString &op, const IndexMap &map);
    int lowerMoment(int place, const GraphNode &node, bool isVariance, const IndexMap &map);
    int lowerConvolution(int place, const GraphNode &node, const IndexMap &map);
    int lowerProduct(int place, const GraphNode &node, const IndexMap &map);
    std::optional<IndexMap> rowDigits(int place, const IndexMap &result, const Shape &reduced);
    int operand(const GraphNode &node, const GraphArgument &argument, const IndexMap &map, ElementType type);
    int reduce(int place, const GraphNode &node, const IndexMap &map, KernelOp op, ElementType type,
               IndexMap *sourceMap);
    int refuse(const QString &why);
    [[nodiscard]] ElementType promoted(const GraphNode &node) const;

    const ReferenceGraph &m_graph;
    const KnownBuffers &m_known;
    FusedKernel m_kernel;
    std::map<std::pair<int, IndexMap>, int> m_done;
    std::optional<LoopSplit> m_split;
    std::optional<FoundReduction> m_found;
    int m_cut = -1;
    QString m_cannot;
};

/// What a reduction goes over: dimensions in rising order.
[[nodiscard]] std::vector<std::size_t> reducedDimensions(const ReferenceGraph &graph, const GraphNode &node);
/// Whether the operator is one of the reductions that KernelLowering knows.
[[nodiscard]] bool isKnownReduction(const GraphNode &node);

} // namespace warpwright
