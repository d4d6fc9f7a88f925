// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/strided_conv1d_to_channels.h"

#include "agent/playbook/analysis/boundary_modes.h"
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <optional>

namespace warpwright {
namespace {

constexpr std::int64_t leastStep = 8; ///< elements: with fewer channels tensor cores would still be idle
constexpr double mostWaste = 1.5;     ///< padded filter size, relative to its own

/// A 1-D filter with a large stride.
struct StridedFilter {
    std::int64_t size = 0;    ///< elements of a stride
    std::int64_t count = 0;   ///< strides that a filter spans
    std::int64_t results = 0; ///< along the signal
    std::int64_t padding = 0; ///< zeros before and after the signal
};

class StridesAsChannels {
public:
    explicit StridesAsChannels(const ReferenceGraph &graph) : m_graph(graph), m_rewriter(graph) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            const auto strided = stridedFilterOf(m_graph.nodes[static_cast<std::size_t>(position)]);
            GraphNode node = m_rewriter.moved(position);
            return m_rewriter.append(strided ? withoutStride(std::move(node), *strided) : std::move(node));
        });
    }

private:
    /// Empty: it is left as it is.
    [[nodiscard]] std::optional<StridedFilter> stridedFilterOf(const GraphNode &node) const {
        if (!isConvolution(node) || node.shape.size() != 3 || node.type == ElementType::Float64)
            return std::nullopt;
        const Shape &signal = m_graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].shape;
        const Shape &filters = m_graph.nodes[static_cast<std::size_t>(node.arguments[1].node)].shape;
        const auto first = [&node](std::size_t argument, std::int64_t otherwise) {
            const Shape values = node.arguments[argument].integers();
            return values.empty() ? otherwise : values[0];
        };
        StridedFilter strided;
        strided.size = first(3, 1);
        strided.count = (filters[2] + strided.size - 1) / strided.size;
        strided.results = node.shape[2];
        strided.padding = first(4, 0);
        const bool isOrdinary = boundaryModesOf(node).empty() && signal.size() == 3 && signal[1] == 1 &&
                                filters[1] == 1 && first(5, 1) == 1 && !node.arguments[6].truth &&
                                node.arguments[8].number == 1;
        const std::int64_t multiple = 16 / bytesOf(node.type);
        const bool isWorthIt =
            strided.size >= leastStep && strided.size % multiple == 0 && strided.count > 1 &&
            filters[0] >= leastStep &&
            static_cast<double>(strided.count * strided.size) <= mostWaste * static_cast<double>(filters[2]);
        return isOrdinary && isWorthIt ? std::optional(strided) : std::nullopt;
    }

    GraphNode withoutStride(GraphNode node, const StridedFilter &strided) {
        const std::int64_t length = (strided.results - 1 + strided.count) * strided.size;
        const int signal = lengthened(node.arguments[0].node, strided.padding, length);
        const int filters = lengthened(node.arguments[1].node, 0, strided.count * strided.size);
        node.arguments[0].node = stepsToChannels(signal, strided.size);
        node.arguments[1].node = stepsToChannels(filters, strided.size);
        node.arguments[3] = listArgument({1});
        node.arguments[4] = listArgument({0});
        return node;
    }

    /// Zero-padded by `before` in front and up to `length`, or cropped to it.
    int lengthened(int operand, std::int64_t before, std::int64_t length) {
        const GraphNode from = m_rewriter.written(operand);
        Shape shape = from.shape;
        if (shape[2] > length - before) {
            shape[2] = length - before;
            operand = m_rewriter.append(from, "slice.Tensor", shape,
                                        {nodeArgument(operand), numberArgument(2), numberArgument(0),
                                         numberArgument(static_cast<double>(shape[2]))});
        }
        const std::int64_t behind = length - before - shape[2];
        if (before == 0 && behind == 0)
            return operand;
        shape[2] = length;
        return m_rewriter.append(from, "constant_pad_nd", shape,
                                 {nodeArgument(operand), listArgument({before, behind}), numberArgument(0)});
    }

    /// [n, 1, steps * size] as [n, size, steps].
    int stepsToChannels(int operand, std::int64_t size) {
        const GraphNode from = m_rewriter.written(operand);
        const Shape rows = {from.shape[0], from.shape[2] / size, size};
        const int view = m_rewriter.append(from, "view", rows, {nodeArgument(operand), listArgument(rows)});
        return m_rewriter.append(from, "permute", {rows[0], rows[2], rows[1]},
                                 {nodeArgument(view), listArgument({0, 2, 1})});
    }

    const ReferenceGraph &m_graph;
    GraphRewriter m_rewriter;
};

} // namespace

ReferenceGraph withStridesAsChannels(const ReferenceGraph &graph) {
    return StridesAsChannels(graph).run();
}

} // namespace warpwright
