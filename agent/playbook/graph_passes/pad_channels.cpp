// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/pad_channels.h"

#include "agent/playbook/analysis/boundary_modes.h"
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/ir/graph_rewriter.h"

namespace warpwright {
namespace {

constexpr std::int64_t mostTimes = 3; ///< beyond it tensor cores would mostly multiply zeros
/// Output channels are cheaper: tensor cores make 64 of them at once in any case.
constexpr std::int64_t mostTimesOfResults = 4;
constexpr std::int64_t manyChannels = 16; ///< below it few results are faster without tensor cores

/// Input and output channels of a convolution.
struct Channels {
    std::int64_t read = 0;
    std::int64_t made = 0;

    bool operator==(const Channels &) const = default;
};

class ChannelPadding {
public:
    explicit ChannelPadding(const ReferenceGraph &graph) : m_rewriter(graph) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            GraphNode node = m_rewriter.moved(position);
            if (!isConvolution(node))
                return m_rewriter.append(std::move(node));
            const Shape &filters = m_rewriter.written(node.arguments[1].node).shape;
            const Channels before = {filters[1], filters[0]};
            const Channels wanted = padded(node, before);
            return wanted == before ? m_rewriter.append(std::move(node)) : withMore(std::move(node), wanted);
        });
    }

private:
    /// Unchanged where nothing is to be done.
    static Channels padded(const GraphNode &node, const Channels &before) {
        const bool isOrdinary = node.shape.size() <= 5 && node.type != ElementType::Float64 &&
                                !node.arguments[6].truth && node.arguments[8].number == 1 &&
                                boundaryModesOf(node).empty();
        const std::int64_t multiple = 16 / bytesOf(node.type);
        const auto whole = [multiple](std::int64_t count) {
            return (count + multiple - 1) / multiple * multiple;
        };
        const Channels wanted = {whole(before.read), whole(before.made)};
        const bool mayMakeMore =
            wanted.made == before.made ||
            (before.read >= manyChannels && wanted.made <= mostTimesOfResults * before.made);
        return isOrdinary && mayMakeMore && wanted.read <= mostTimes * before.read ? wanted : before;
    }

    int withMore(GraphNode node, const Channels &wanted) {
        const Shape shape = node.shape;
        node.arguments[0].node = padded(node.arguments[0].node, 1, wanted.read);
        node.arguments[1].node = padded(padded(node.arguments[1].node, 1, wanted.read), 0, wanted.made);
        if (hasBias(node))
            node.arguments[2].node = padded(node.arguments[2].node, 0, wanted.made);
        if (shape[1] == wanted.made)
            return m_rewriter.append(std::move(node));
        node.shape[1] = wanted.made;
        node.strides = contiguousStrides(node.shape);
        const GraphNode like = node;
        const int all = m_rewriter.append(std::move(node));
        return m_rewriter.append(like, "slice.Tensor", shape,
                                 {nodeArgument(all), numberArgument(1), numberArgument(0),
                                  numberArgument(static_cast<double>(shape[1]))});
    }

    /// Zero-padded along a dimension.
    int padded(int operand, std::size_t dimension, std::int64_t size) {
        const GraphNode from = m_rewriter.written(operand);
        if (from.shape[dimension] >= size)
            return operand;
        Shape shape = from.shape;
        shape[dimension] = size;
        Shape widths(2 * (from.shape.size() - dimension), 0); // from the last dimension, before and after
        widths.back() = size - from.shape[dimension];
        return m_rewriter.append(from, "constant_pad_nd", shape,
                                 {nodeArgument(operand), listArgument(widths), numberArgument(0)});
    }

    GraphRewriter m_rewriter;
};

} // namespace

ReferenceGraph withPaddedChannels(const ReferenceGraph &graph) {
    return ChannelPadding(graph).run();
}

} // namespace warpwright
