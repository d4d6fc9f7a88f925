// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/exclusive_scan.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>

namespace warpwright {
namespace {

class ExclusiveScans {
public:
    explicit ExclusiveScans(const ReferenceGraph &graph) : m_readers(readersOf(graph)), m_rewriter(graph) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            const int concatNode = concatBefore(position);
            return concatNode < 0 ? m_rewriter.append(m_rewriter.moved(position))
                                  : exclusive(position, concatNode);
        });
    }

private:
    static std::size_t dimensionOf(const GraphNode &node, double number) {
        return static_cast<std::size_t>(number < 0 ? number + static_cast<double>(node.shape.size())
                                                   : number);
    }

    /// The scan's input is a concatenation of its initial value and one tensor; -1: it is not.
    [[nodiscard]] int concatBefore(int position) const {
        const GraphNode &node = m_rewriter.old(position);
        const QString op = opNameOf(node);
        const bool isCumulativeProduct = op == QLatin1String("cumprod");
        if ((!isCumulativeProduct && op != QLatin1String("cumsum")) || node.arguments.size() < 2 ||
            node.shape.empty() || node.arguments[0].kind != GraphArgument::Kind::Node)
            return -1;
        const std::size_t d = dimensionOf(node, node.arguments[1].number);
        const int source = node.arguments[0].node;
        const GraphNode &concat = m_rewriter.old(source);
        if (opNameOf(concat) != QLatin1String("cat") || concat.type != node.type ||
            concat.arguments.empty() || concat.arguments[0].items.size() != 2)
            return -1;
        const GraphArgument *along = concat.argument(1, "dim");
        if (dimensionOf(concat, along == nullptr ? 0 : along->number) != d)
            return -1;
        const std::vector<GraphArgument> &parts = concat.arguments[0].items;
        if (parts[0].kind != GraphArgument::Kind::Node || parts[1].kind != GraphArgument::Kind::Node)
            return -1;
        const GraphNode &begin = m_rewriter.old(parts[0].node);
        const GraphNode &rest = m_rewriter.old(parts[1].node);
        const bool isNumber =
            begin.shape.size() == node.shape.size() && begin.shape[d] == 1 && begin.type == node.type &&
            rest.type == node.type &&
            (opNameOf(begin) == QLatin1String("full") || opNameOf(begin) == QLatin1String("full_like")) &&
            begin.arguments.size() >= 2 && begin.arguments[1].kind == GraphArgument::Kind::Number &&
            begin.arguments[1].number == (isCumulativeProduct ? 1 : 0);
        return isNumber && dropsLast(position, d) ? source : -1;
    }

    /// Whether each consumer drops the last element, and no other.
    [[nodiscard]] bool dropsLast(int position, std::size_t d) const {
        const GraphNode &node = m_rewriter.old(position);
        const std::vector<int> &readers = m_readers[static_cast<std::size_t>(position)];
        return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](int reader) {
            if (reader < 0)
                return false;
            const GraphNode &slice = m_rewriter.old(reader);
            return opNameOf(slice) == QLatin1String("slice") && slice.arguments.size() >= 3 &&
                   dimensionOf(node, slice.arguments[1].number) == d && slice.arguments[2].number == 0 &&
                   slice.shape[d] == node.shape[d] - 1;
        });
    }

    int exclusive(int position, int concatNode) {
        const GraphNode &node = m_rewriter.old(position);
        const GraphNode &concat = m_rewriter.old(concatNode);
        GraphNode scan = node;
        scan.arguments[0] = concat.arguments[0].items[1];
        scan.shape = m_rewriter.old(concat.arguments[0].items[1].node).shape;
        scan.strides = contiguousStrides(scan.shape);
        const int along = m_rewriter.append(m_rewriter.moved(std::move(scan)));
        GraphNode whole = m_rewriter.moved(concat);
        whole.arguments[0].items[1] = nodeArgument(along);
        return m_rewriter.append(std::move(whole));
    }

    std::vector<std::vector<int>> m_readers; ///< of the graph's nodes
    GraphRewriter m_rewriter;
};

} // namespace

ReferenceGraph withExclusiveScans(const ReferenceGraph &graph) {
    return ExclusiveScans(graph).run();
}

} // namespace warpwright
