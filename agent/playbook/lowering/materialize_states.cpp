// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/materialize_states.h"

#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/scatter_builder.h"
#include "agent/playbook/lowering/sort_builder.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr double launchBytes = 8e6;   ///< that an H200 moves in the time of a launch
constexpr int materializedPasses = 2; ///< over a materialized value: a write, and a read at once

class States {
public:
    explicit States(const ReferenceGraph &graph) : m_graph(graph), m_below(graph.nodes.size()) {}

    [[nodiscard]] std::vector<int> run() {
        std::vector<int> found;
        for (int nodeIndex = 0; nodeIndex < static_cast<int>(m_graph.nodes.size()); ++nodeIndex) {
            below(nodeIndex) = memoryBelow(nodeIndex);
            if (isWorthMaterializing(nodeIndex)) {
                found.push_back(nodeIndex);
                below(nodeIndex) = {nodeIndex};
            }
        }
        return found;
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }
    std::set<int> &below(int node) { return m_below[static_cast<std::size_t>(node)]; }
    [[nodiscard]] double bytes(int node) const {
        return static_cast<double>(elementCount(at(node).shape)) * bytesOf(at(node).type);
    }
    [[nodiscard]] bool isStructuredOp(const GraphNode &node) const {
        return isConvolution(node) || isBlasMatmul(m_graph, node) || isRowScatter(m_graph, node) ||
               isSort(m_graph, node);
    }
    [[nodiscard]] bool isComputed(const GraphNode &node) const {
        return node.kind == GraphNode::Kind::Operator && node.isTensor && isPointwise(node) &&
               !isStructuredOp(node);
    }
    /// A view, or one of several results.
    [[nodiscard]] static bool isViewOrItem(const GraphNode &node) {
        return node.kind == GraphNode::Kind::Operator &&
               (isView(node) || node.op == QLatin1String("getitem"));
    }

    /// What has to be read to compute it; a slice of something in memory counts as itself.
    std::set<int> memoryBelow(int nodeIndex) {
        const GraphNode &node = at(nodeIndex);
        std::set<int> all;
        if (isComputed(node))
            forEachTensor(node,
                          [&](const GraphArgument &argument) { all.merge(std::set(below(argument.node))); });
        else if (isViewOrItem(node) && isComputed(at(node.arguments[0].node)))
            all = below(node.arguments[0].node);
        else
            all = {nodeIndex};
        return all;
    }

    [[nodiscard]] bool isWorthMaterializing(int nodeIndex) {
        if (!isComputed(at(nodeIndex)) || !isFloating(at(nodeIndex).type) ||
            std::find(m_graph.outputs.begin(), m_graph.outputs.end(), nodeIndex) != m_graph.outputs.end())
            return false;
        double read = 0;
        for (const int input : below(nodeIndex))
            read += std::min(bytes(input),
                             bytes(nodeIndex)); // a small one is read again from a cache
        if (read <= materializedPasses * bytes(nodeIndex) + launchBytes)
            return false;
        const int later = laterReaders(nodeIndex);
        return later > 0 && later * read > (later + materializedPasses) * bytes(nodeIndex) + launchBytes;
    }

    /// Consumers that also need what a library computes from the value: later kernels. 0 if a library reads
    /// it: then it is in memory anyway.
    [[nodiscard]] int laterReaders(int nodeIndex) const {
        enum class Reach { None, Directly, ThroughLibrary };
        std::vector<Reach> reach(m_graph.nodes.size(), Reach::None);
        reach[static_cast<std::size_t>(nodeIndex)] = Reach::Directly;
        std::set<int> direct = {nodeIndex}; // and its views
        int later = 0;
        for (int i = nodeIndex + 1; i < static_cast<int>(m_graph.nodes.size()); ++i) {
            const GraphNode &node = at(i);
            bool readsIt = false;
            Reach &here = reach[static_cast<std::size_t>(i)];
            forEachTensor(node, [&](const GraphArgument &argument) {
                here = std::max(here, reach[static_cast<std::size_t>(argument.node)]);
                readsIt = readsIt || direct.contains(argument.node);
            });
            if (readsIt && isStructuredOp(node))
                return 0;
            if (readsIt && isViewOrItem(node))
                direct.insert(i);
            else if (readsIt && here == Reach::ThroughLibrary)
                ++later;
            if (isStructuredOp(node) && here == Reach::Directly)
                here = Reach::ThroughLibrary;
        }
        return later;
    }

    const ReferenceGraph &m_graph;
    std::vector<std::set<int>> m_below;
};

} // namespace

std::vector<int> materializedStates(const ReferenceGraph &graph) {
    return States(graph).run();
}

} // namespace warpwright
