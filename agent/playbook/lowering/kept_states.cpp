// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/kept_states.h"

#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/lowering/scatter_plan.h"
#include "agent/playbook/lowering/sort_plan.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr double launchBytes = 8e6; ///< that an H200 moves in the time of a launch
constexpr int keptPasses = 2;       ///< over a value that a kernel of its own makes: written, read at once

class States {
public:
    explicit States(const ReferenceGraph &graph) : m_graph(graph), m_below(graph.nodes.size()) {}

    [[nodiscard]] std::vector<int> run() {
        std::vector<int> kept;
        for (int place = 0; place < static_cast<int>(m_graph.nodes.size()); ++place) {
            below(place) = memoryBelow(place);
            if (isWorthKeeping(place)) {
                kept.push_back(place);
                below(place) = {place};
            }
        }
        return kept;
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }
    std::set<int> &below(int node) { return m_below[static_cast<std::size_t>(node)]; }
    [[nodiscard]] double bytes(int node) const {
        return static_cast<double>(elementCount(at(node).shape)) * bytesOf(at(node).type);
    }
    [[nodiscard]] bool isAnchor(const GraphNode &node) const {
        return isConvolution(node) || isMatrixProduct(m_graph, node) || isScatteredRows(m_graph, node) ||
               isSort(m_graph, node);
    }
    [[nodiscard]] bool isComputed(const GraphNode &node) const {
        return node.kind == GraphNode::Kind::Operator && node.isTensor && isPointwise(node) &&
               !isAnchor(node);
    }
    /// It shows elements of something else: a view, or one of several parts.
    [[nodiscard]] static bool isLooking(const GraphNode &node) {
        return node.kind == GraphNode::Kind::Operator &&
               (isView(node) || node.op == QLatin1String("getitem"));
    }

    /// What has to be read to compute it; a part of something in memory stands for itself.
    std::set<int> memoryBelow(int place) {
        const GraphNode &node = at(place);
        std::set<int> all;
        if (isComputed(node))
            forEachTensor(node,
                          [&](const GraphArgument &argument) { all.merge(std::set(below(argument.node))); });
        else if (isLooking(node) && isComputed(at(node.arguments[0].node)))
            all = below(node.arguments[0].node);
        else
            all = {place};
        return all;
    }

    [[nodiscard]] bool isWorthKeeping(int place) {
        if (!isComputed(at(place)) || !isFloating(at(place).type) ||
            std::find(m_graph.outputs.begin(), m_graph.outputs.end(), place) != m_graph.outputs.end())
            return false;
        double read = 0;
        for (const int leaf : below(place))
            read +=
                std::min(bytes(leaf), bytes(place)); // a small one is read again and again, out of a cache
        if (read <= keptPasses * bytes(place) + launchBytes)
            return false;
        const int later = laterReaders(place);
        return later > 0 && later * read > (later + keptPasses) * bytes(place) + launchBytes;
    }

    /// Readers that also need what a library makes of the value: kernels of their own. 0 if a library reads
    /// it: then it is in memory anyway.
    [[nodiscard]] int laterReaders(int place) const {
        enum class Reach { None, Directly, ThroughLibrary };
        std::vector<Reach> reach(m_graph.nodes.size(), Reach::None);
        reach[static_cast<std::size_t>(place)] = Reach::Directly;
        std::set<int> direct = {place}; // and what only looks at it
        int later = 0;
        for (int i = place + 1; i < static_cast<int>(m_graph.nodes.size()); ++i) {
            const GraphNode &node = at(i);
            bool readsIt = false;
            Reach &here = reach[static_cast<std::size_t>(i)];
            forEachTensor(node, [&](const GraphArgument &argument) {
                here = std::max(here, reach[static_cast<std::size_t>(argument.node)]);
                readsIt = readsIt || direct.contains(argument.node);
            });
            if (readsIt && isAnchor(node))
                return 0;
            if (readsIt && isLooking(node))
                direct.insert(i);
            else if (readsIt && here == Reach::ThroughLibrary)
                ++later;
            if (isAnchor(node) && here == Reach::Directly)
                here = Reach::ThroughLibrary;
        }
        return later;
    }

    const ReferenceGraph &m_graph;
    std::vector<std::set<int>> m_below;
};

} // namespace

std::vector<int> keptStates(const ReferenceGraph &graph) {
    return States(graph).run();
}

} // namespace warpwright
