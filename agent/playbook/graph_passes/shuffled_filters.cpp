// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/shuffled_filters.h"

#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace warpwright {
namespace {

/// A view that takes a convolution's channels apart: those that stay, and what becomes pixels.
struct Shuffle {
    int convolution = -1;
    std::int64_t channels = 0;
    std::int64_t pixels = 0;
};

class Shuffling {
public:
    explicit Shuffling(const ReferenceGraph &graph) : m_graph(graph), m_rewriter(graph) {
        const std::vector<std::vector<int>> readers = readersOf(graph);
        for (int place = 0; place < static_cast<int>(graph.nodes.size()); ++place)
            if (const auto shuffle = shuffleOf(place);
                shuffle.convolution >= 0 &&
                readers[static_cast<std::size_t>(shuffle.convolution)] == std::vector<int>{place}) {
                m_shuffles[shuffle.convolution] = shuffle;
                m_views.insert(place);
            }
    }

    ReferenceGraph run() {
        return m_rewriter.run([this](int place) {
            if (const auto found = m_shuffles.find(place); found != m_shuffles.end())
                return turned(place, found->second);
            if (m_views.contains(place))
                return viewed(place);
            return m_rewriter.append(m_rewriter.moved(place));
        });
    }

private:
    [[nodiscard]] Shuffle shuffleOf(int place) const {
        const GraphNode &view = m_rewriter.old(place);
        if (view.kind != GraphNode::Kind::Operator || !isReshape(view) || view.arguments.empty() ||
            view.arguments[0].kind != GraphArgument::Kind::Node)
            return {};
        const int source = view.arguments[0].node;
        const GraphNode &convolution = m_rewriter.old(source);
        const std::size_t space = convolution.shape.size() < 3 ? 0 : convolution.shape.size() - 2;
        // Images, channels, what each of them becomes along each dimension of space, and space.
        if (!isConvolution(convolution) || !canBeChannelsLast(m_graph, convolution) || space == 0 ||
            convolution.arguments[6].truth || convolution.arguments[8].number != 1 ||
            view.shape.size() != 2 + 2 * space || view.shape[0] != convolution.shape[0] ||
            !std::equal(view.shape.end() - static_cast<std::ptrdiff_t>(space), view.shape.end(),
                        convolution.shape.begin() + 2))
            return {};
        const std::int64_t channels = view.shape[1];
        const std::int64_t pixels = convolution.shape[1] / channels;
        const std::int64_t multiple = 16 / bytesOf(convolution.type);
        if (channels % multiple != 0 || pixels < 2)
            return {};
        return {source, channels, pixels};
    }

    /// With filters, and a bias, whose pixels come before the channels.
    int turned(int place, const Shuffle &shuffle) {
        GraphNode node = m_rewriter.moved(place);
        node.arguments[1].node = turnedRows(node.arguments[1].node, shuffle);
        if (hasBias(node))
            node.arguments[2].node = turnedRows(node.arguments[2].node, shuffle);
        return m_rewriter.append(std::move(node));
    }

    int turnedRows(int operand, const Shuffle &shuffle) {
        const GraphNode from = m_rewriter.written(operand);
        Shape apart = from.shape;
        apart[0] = shuffle.pixels;
        apart.insert(apart.begin(), shuffle.channels);
        Shape order(apart.size());
        std::iota(order.begin(), order.end(), 0);
        std::swap(order[0], order[1]);
        Shape across = apart;
        std::swap(across[0], across[1]);
        const int view = m_rewriter.append(from, "view", apart, {nodeArgument(operand), listArgument(apart)});
        const int other =
            m_rewriter.append(from, "permute", across, {nodeArgument(view), listArgument(order)});
        return m_rewriter.append(from, "view", from.shape, {nodeArgument(other), listArgument(from.shape)});
    }

    /// The view as it was: pixels come first now, and are said to come after the channels.
    int viewed(int place) {
        const GraphNode node = m_rewriter.moved(place);
        const auto space = static_cast<std::ptrdiff_t>(node.shape.size() - 2) / 2;
        Shape first = node.shape;
        std::rotate(first.begin() + 1, first.begin() + 2, first.begin() + 2 + space);
        Shape order(first.size());
        std::iota(order.begin(), order.end(), 0);
        std::rotate(order.begin() + 1, order.begin() + 1 + space, order.begin() + 2 + space);
        const int view = m_rewriter.append(node, "view", first, {node.arguments[0], listArgument(first)});
        return m_rewriter.append(node, "permute", node.shape, {nodeArgument(view), listArgument(order)});
    }

    const ReferenceGraph &m_graph;
    GraphRewriter m_rewriter;
    std::map<int, Shuffle> m_shuffles; ///< by convolution
    std::set<int> m_views;
};

} // namespace

ReferenceGraph withShuffledFilters(const ReferenceGraph &graph) {
    return Shuffling(graph).run();
}

} // namespace warpwright
