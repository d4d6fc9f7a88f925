// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/materialize_residuals.h"

#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Views that only regroup dimensions: rows stay rows.
bool isReshapeOp(const GraphNode &node) {
    const QString word = opNameOf(node);
    return word == QLatin1String("view") || word == QLatin1String("_unsafe_view") ||
           word == QLatin1String("reshape");
}

class Residuals {
public:
    Residuals(const ReferenceGraph &graph, bool mayFuseMatmulSum)
        : m_graph(graph), m_mayFuseMatmulSum(mayFuseMatmulSum), m_readers(graph.nodes.size()) {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            forEachTensor(graph.nodes[i], [&](const GraphArgument &argument) {
                m_readers[static_cast<std::size_t>(argument.node)].push_back(static_cast<int>(i));
            });
        for (const int output : graph.outputs)
            m_readers[static_cast<std::size_t>(output)].push_back(-1);
    }

    [[nodiscard]] std::vector<int> run() const {
        std::vector<int> found;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (isResidual(static_cast<int>(i)))
                found.push_back(static_cast<int>(i));
        return found;
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }
    [[nodiscard]] bool isPlainSum(const GraphNode &node) const {
        return opNameOf(node) == QLatin1String("add") && node.arguments.size() == 2 &&
               node.keywords.empty() && isFloating(node.type) && isTensor(node.arguments[0]) &&
               isTensor(node.arguments[1]);
    }
    static bool isTensor(const GraphArgument &argument) { return argument.kind == GraphArgument::Kind::Node; }
    [[nodiscard]] bool hasOneReader(int node) const {
        return m_readers[static_cast<std::size_t>(node)].size() == 1;
    }

    /// The matmul below a node, perhaps with a bias, that nothing else reads; -1: none.
    [[nodiscard]] int matmulBelow(int node) const {
        bool hasBias = false;
        while (hasOneReader(node) && at(node).kind == GraphNode::Kind::Operator) {
            const GraphNode &what = at(node);
            if (isBlasMatmul(m_graph, what))
                return what.shape.size() == 2 ? node : -1;
            if (isReshapeOp(what)) {
                node = what.arguments[0].node;
                continue;
            }
            if (hasBias || !isPlainSum(what))
                return -1;
            const std::size_t bias = at(what.arguments[0].node).shape.size() == 1 ? 0 : 1;
            const int vector = what.arguments[bias].node;
            if (at(vector).kind != GraphNode::Kind::Parameter || at(vector).shape != Shape{what.shape.back()})
                return -1;
            hasBias = true;
            node = what.arguments[1 - bias].node;
        }
        return -1;
    }

    /// How many consumers read all of it, through views as well.
    [[nodiscard]] int fullReaders(int node) const {
        int count = 0;
        for (const int reader : m_readers[static_cast<std::size_t>(node)]) {
            if (reader < 0)
                return 0; // an output: it is in memory anyway
            const bool isSlice = elementCount(at(reader).shape) < elementCount(at(node).shape);
            if (isView(at(reader)))
                count += isSlice ? 0 : fullReaders(reader);
            else
                ++count;
        }
        return count;
    }

    [[nodiscard]] bool isResidual(int nodeIndex) const {
        const GraphNode &node = at(nodeIndex);
        if (node.kind != GraphNode::Kind::Operator || !isPlainSum(node) || fullReaders(nodeIndex) < 2)
            return false;
        if (m_mayFuseMatmulSum && matmulBelow(node.arguments[0].node) >= 0 &&
            matmulBelow(node.arguments[1].node) >= 0)
            return false;
        for (const std::size_t i : {0U, 1U}) {
            const GraphNode &other = at(node.arguments[1 - i].node);
            const int matmul = matmulBelow(node.arguments[i].node);
            if (matmul >= 0 && other.shape == node.shape && other.type == node.type &&
                at(matmul).type == node.type)
                return true;
        }
        return false;
    }

    const ReferenceGraph &m_graph;
    bool m_mayFuseMatmulSum;
    std::vector<std::vector<int>> m_readers; ///< of each node; -1: a graph output
};

} // namespace

std::vector<int> materializedResiduals(const ReferenceGraph &graph, bool mayFuseMatmulSum) {
    return Residuals(graph, mayFuseMatmulSum).run();
}

} // namespace warpwright
