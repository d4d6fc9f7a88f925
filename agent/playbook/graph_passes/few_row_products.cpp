// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/few_row_products.h"

#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t mostRows = 8; ///< sums that a thread has in registers, and reads as many vectors for
constexpr std::int64_t leastElements = 1 << 20; ///< of a matrix that is not in the caches anyway
constexpr double mostBytes = 0.75;              ///< read for it, of its own

class Rows {
public:
    explicit Rows(const ReferenceGraph &graph)
        : m_graph(graph), m_rewriter(graph), m_readers(readersOf(graph)) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int place) {
            const GraphNode &node = at(place);
            return isForRows(node) ? byRows(m_rewriter.moved(place))
                                   : m_rewriter.append(m_rewriter.moved(place));
        });
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }
    [[nodiscard]] double bytes(int node) const {
        return static_cast<double>(elementCount(at(node).shape)) * bytesOf(at(node).type);
    }

    [[nodiscard]] bool isForRows(const GraphNode &node) const {
        if (node.kind != GraphNode::Kind::Operator || node.op != QLatin1String("mm") ||
            node.type == ElementType::Float64 || !isFloating(node.type))
            return false;
        const int matrix = node.arguments[1].node;
        return node.shape[0] > 1 && node.shape[0] <= mostRows && node.shape[1] > 1 &&
               elementCount(at(matrix).shape) >= leastElements &&
               memoryBelow(matrix) <= mostBytes * bytes(matrix);
    }

    /// Bytes that have to be read to compute it.
    [[nodiscard]] double memoryBelow(int matrix) const {
        double sum = 0;
        std::set<int> seen;
        std::vector<int> waiting = {matrix};
        while (!waiting.empty()) {
            const int place = waiting.back();
            waiting.pop_back();
            if (!seen.insert(place).second)
                continue;
            const GraphNode &what = at(place);
            const bool isComputed =
                what.kind == GraphNode::Kind::Operator && what.isTensor && !isProduct(what) &&
                !isConvolution(what) && (isView(what) || isPointwise(what)) &&
                m_readers[static_cast<std::size_t>(place)].size() == 1; // others would need it in memory
            if (isComputed)
                forEachTensor(what, [&](const GraphArgument &argument) { waiting.push_back(argument.node); });
            else
                sum += std::min(bytes(place), bytes(matrix));
        }
        return sum;
    }

    // The arguments are of the new graph.
    int byRows(const GraphNode &node) {
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

ReferenceGraph withFewRowProducts(const ReferenceGraph &graph) {
    return Rows(graph).run();
}

} // namespace warpwright
