// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/begun_scans.h"

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>

namespace warpwright {
namespace {

class BegunScans {
public:
    explicit BegunScans(const ReferenceGraph &graph) : m_readers(readersOf(graph)), m_rewriter(graph) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int place) {
            const int joined = joinBefore(place);
            return joined < 0 ? m_rewriter.append(m_rewriter.moved(place)) : behind(place, joined);
        });
    }

private:
    static std::size_t dimensionOf(const GraphNode &node, double number) {
        return static_cast<std::size_t>(number < 0 ? number + static_cast<double>(node.shape.size())
                                                   : number);
    }

    /// What runs along is a join of a number, with which such a scan begins, and one tensor; -1: it is not.
    [[nodiscard]] int joinBefore(int place) const {
        const GraphNode &node = m_rewriter.old(place);
        const QString op = wordOf(node);
        const bool isProduct = op == QLatin1String("cumprod");
        if ((!isProduct && op != QLatin1String("cumsum")) || node.arguments.size() < 2 ||
            node.shape.empty() || node.arguments[0].kind != GraphArgument::Kind::Node)
            return -1;
        const std::size_t d = dimensionOf(node, node.arguments[1].number);
        const int source = node.arguments[0].node;
        const GraphNode &join = m_rewriter.old(source);
        if (wordOf(join) != QLatin1String("cat") || join.type != node.type || join.arguments.empty() ||
            join.arguments[0].items.size() != 2)
            return -1;
        const GraphArgument *along = join.argument(1, "dim");
        if (dimensionOf(join, along == nullptr ? 0 : along->number) != d)
            return -1;
        const std::vector<GraphArgument> &parts = join.arguments[0].items;
        if (parts[0].kind != GraphArgument::Kind::Node || parts[1].kind != GraphArgument::Kind::Node)
            return -1;
        const GraphNode &begin = m_rewriter.old(parts[0].node);
        const GraphNode &rest = m_rewriter.old(parts[1].node);
        const bool isNumber =
            begin.shape.size() == node.shape.size() && begin.shape[d] == 1 && begin.type == node.type &&
            rest.type == node.type &&
            (wordOf(begin) == QLatin1String("full") || wordOf(begin) == QLatin1String("full_like")) &&
            begin.arguments.size() >= 2 && begin.arguments[1].kind == GraphArgument::Kind::Number &&
            begin.arguments[1].number == (isProduct ? 1 : 0);
        return isNumber && isCutBehind(place, d) ? source : -1;
    }

    /// Whether each reader leaves out the last element, and no other.
    [[nodiscard]] bool isCutBehind(int place, std::size_t d) const {
        const GraphNode &node = m_rewriter.old(place);
        const std::vector<int> &readers = m_readers[static_cast<std::size_t>(place)];
        return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](int reader) {
            if (reader < 0)
                return false;
            const GraphNode &slice = m_rewriter.old(reader);
            return wordOf(slice) == QLatin1String("slice") && slice.arguments.size() >= 3 &&
                   dimensionOf(node, slice.arguments[1].number) == d && slice.arguments[2].number == 0 &&
                   slice.shape[d] == node.shape[d] - 1;
        });
    }

    int behind(int place, int joined) {
        const GraphNode &node = m_rewriter.old(place);
        const GraphNode &join = m_rewriter.old(joined);
        GraphNode scan = node;
        scan.arguments[0] = join.arguments[0].items[1];
        scan.shape = m_rewriter.old(join.arguments[0].items[1].node).shape;
        scan.strides = contiguousStrides(scan.shape);
        const int along = m_rewriter.append(m_rewriter.moved(std::move(scan)));
        GraphNode whole = m_rewriter.moved(join);
        whole.arguments[0].items[1] = nodeArgument(along);
        return m_rewriter.append(std::move(whole));
    }

    std::vector<std::vector<int>> m_readers; ///< of the graph's nodes
    GraphRewriter m_rewriter;
};

} // namespace

ReferenceGraph withBegunScans(const ReferenceGraph &graph) {
    return BegunScans(graph).run();
}

} // namespace warpwright
