// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/gemv_from_packed_weights.h"

#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t mostRows = 8;            ///< accumulators and vectors that a thread has registers for
constexpr std::int64_t leastElements = 1 << 20; ///< of a matrix that is not cached anyway
constexpr double mostBytes = 0.75;              ///< to read for it, relative to its own

class PackedWeightGemvs {
public:
    explicit PackedWeightGemvs(const ReferenceGraph &graph)
        : m_graph(graph), m_rewriter(graph), m_readers(readersOf(graph)) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            const GraphNode &node = at(position);
            return isFewRowMatmul(node) ? asGemvs(m_rewriter.moved(position))
                                        : m_rewriter.append(m_rewriter.moved(position));
        });
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }
    [[nodiscard]] double bytes(int node) const {
        return static_cast<double>(elementCount(at(node).shape)) * bytesOf(at(node).type);
    }

    [[nodiscard]] bool isFewRowMatmul(const GraphNode &node) const {
        if (node.kind != GraphNode::Kind::Operator || node.op != QLatin1String("mm") ||
            node.type == ElementType::Float64 || !isFloating(node.type))
            return false;
        const int matrix = node.arguments[1].node;
        return node.shape[0] > 1 && node.shape[0] <= mostRows && node.shape[1] > 1 &&
               elementCount(at(matrix).shape) >= leastElements &&
               memoryBelow(matrix) <= mostBytes * bytes(matrix);
    }

    /// Bytes to read to compute it.
    [[nodiscard]] double memoryBelow(int matrix) const {
        double sum = 0;
        std::set<int> seen;
        std::vector<int> waiting = {matrix};
        while (!waiting.empty()) {
            const int position = waiting.back();
            waiting.pop_back();
            if (!seen.insert(position).second)
                continue;
            const GraphNode &what = at(position);
            const bool isComputed =
                what.kind == GraphNode::Kind::Operator && what.isTensor && !isMatmul(what) &&
                !isConvolution(what) && (isView(what) || isPointwise(what)) &&
                m_readers[static_cast<std::size_t>(position)].size() == 1; // others would need it in memory
            if (isComputed)
                forEachTensor(what, [&](const GraphArgument &argument) { waiting.push_back(argument.node); });
            else
                sum += std::min(bytes(position), bytes(matrix));
        }
        return sum;
    }

    // The arguments are of the new graph.
    int asGemvs(const GraphNode &node) {
        std::vector<GraphArgument> rows;
        const Shape one = {1, m_rewriter.written(node.arguments[0].node).shape[1]};
        for (std::int64_t row = 0; row < node.shape[0]; ++row) {
            const int part = m_rewriter.append(
                m_rewriter.written(node.arguments[0].node), "slice.Tensor", one,
                {node.arguments[0], numberArgument(0), numberArgument(static_cast<double>(row)),
                 numberArgument(static_cast<double>(row + 1))});
            rows.push_back(nodeArgument(
                m_rewriter.append(node, "mm", {1, node.shape[1]}, {nodeArgument(part), node.arguments[1]})));
        }
        GraphArgument all;
        all.kind = GraphArgument::Kind::List;
        all.items = std::move(rows);
        return m_rewriter.append(node, "cat", node.shape, {all, numberArgument(0)});
    }

    const ReferenceGraph &m_graph;
    GraphRewriter m_rewriter;
    std::vector<std::vector<int>> m_readers;
};

} // namespace

ReferenceGraph withGemvsFromPackedWeights(const ReferenceGraph &graph) {
    return PackedWeightGemvs(graph).run();
}

} // namespace warpwright
