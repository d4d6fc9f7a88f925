// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/fold_pixel_shuffle.h"

#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace warpwright {
namespace {

/// A view that splits a convolution's channels: those that stay, and those that become pixels.
struct PixelShuffle {
    int convolution = -1;
    std::int64_t channels = 0;
    std::int64_t pixels = 0;
};

class FoldedPixelShuffles {
public:
    explicit FoldedPixelShuffles(const ReferenceGraph &graph) : m_graph(graph), m_rewriter(graph) {
        const std::vector<std::vector<int>> readers = readersOf(graph);
        for (int position = 0; position < static_cast<int>(graph.nodes.size()); ++position)
            if (const auto shuffle = shuffleOf(position);
                shuffle.convolution >= 0 &&
                readers[static_cast<std::size_t>(shuffle.convolution)] == std::vector<int>{position}) {
                m_shuffles[shuffle.convolution] = shuffle;
                m_views.insert(position);
            }
    }

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            if (const auto found = m_shuffles.find(position); found != m_shuffles.end())
                return withPermutedFilters(position, found->second);
            if (m_views.contains(position))
                return viewed(position);
            return m_rewriter.append(m_rewriter.moved(position));
        });
    }

private:
    [[nodiscard]] PixelShuffle shuffleOf(int position) const {
        const GraphNode &view = m_rewriter.old(position);
        if (view.kind != GraphNode::Kind::Operator || !isReshape(view) || view.arguments.empty() ||
            view.arguments[0].kind != GraphArgument::Kind::Node)
            return {};
        const int source = view.arguments[0].node;
        const GraphNode &convolution = m_rewriter.old(source);
        const std::size_t space = convolution.shape.size() < 3 ? 0 : convolution.shape.size() - 2;
        // Images, channels, upscale factor per dimension of space, and space.
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

    /// With filters, and a bias, permuted so that pixels come before channels.
    int withPermutedFilters(int position, const PixelShuffle &shuffle) {
        GraphNode node = m_rewriter.moved(position);
        node.arguments[1].node = permutedRows(node.arguments[1].node, shuffle);
        if (hasBias(node))
            node.arguments[2].node = permutedRows(node.arguments[2].node, shuffle);
        return m_rewriter.append(std::move(node));
    }

    int permutedRows(int operand, const PixelShuffle &shuffle) {
        const GraphNode from = m_rewriter.written(operand);
        Shape splitShape = from.shape;
        splitShape[0] = shuffle.pixels;
        splitShape.insert(splitShape.begin(), shuffle.channels);
        Shape order(splitShape.size());
        std::iota(order.begin(), order.end(), 0);
        std::swap(order[0], order[1]);
        Shape permutedShape = splitShape;
        std::swap(permutedShape[0], permutedShape[1]);
        const int view =
            m_rewriter.append(from, "view", splitShape, {nodeArgument(operand), listArgument(splitShape)});
        const int other =
            m_rewriter.append(from, "permute", permutedShape, {nodeArgument(view), listArgument(order)});
        return m_rewriter.append(from, "view", from.shape, {nodeArgument(other), listArgument(from.shape)});
    }

    /// The same view: split with pixels before channels, then permuted to the original order.
    int viewed(int position) {
        const GraphNode node = m_rewriter.moved(position);
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
    std::map<int, PixelShuffle> m_shuffles; ///< by convolution
    std::set<int> m_views;
};

} // namespace

ReferenceGraph withFoldedPixelShuffles(const ReferenceGraph &graph) {
    return FoldedPixelShuffles(graph).run();
}

} // namespace warpwright
