// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/coarse_signals.h"

#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/analysis/image_edges.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <optional>

namespace warpwright {
namespace {

constexpr std::int64_t leastStep = 8; ///< elements: with fewer channels the units would be idle still
constexpr double mostWaste = 1.5;     ///< of filters' elements with the zeros behind them

/// A filter that takes steps along a signal.
struct Steps {
    std::int64_t size = 0;    ///< elements of a step
    std::int64_t count = 0;   ///< steps that a filter reaches over
    std::int64_t results = 0; ///< along the signal
    std::int64_t padding = 0; ///< zeros before and behind the signal
};

class Coarsening {
public:
    explicit Coarsening(const ReferenceGraph &graph) : m_graph(graph), m_rewriter(graph) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int place) {
            const auto steps = stepsOf(m_graph.nodes[static_cast<std::size_t>(place)]);
            GraphNode node = m_rewriter.moved(place);
            return m_rewriter.append(steps ? inSteps(std::move(node), *steps) : std::move(node));
        });
    }

private:
    /// Empty: it is left as it is.
    [[nodiscard]] std::optional<Steps> stepsOf(const GraphNode &node) const {
        if (!isConvolution(node) || node.shape.size() != 3 || node.type == ElementType::Float64)
            return std::nullopt;
        const Shape &signal = m_graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].shape;
        const Shape &filters = m_graph.nodes[static_cast<std::size_t>(node.arguments[1].node)].shape;
        const auto first = [&node](std::size_t argument, std::int64_t otherwise) {
            const Shape values = node.arguments[argument].integers();
            return values.empty() ? otherwise : values[0];
        };
        Steps steps;
        steps.size = first(3, 1);
        steps.count = (filters[2] + steps.size - 1) / steps.size;
        steps.results = node.shape[2];
        steps.padding = first(4, 0);
        const bool isOrdinary = edgesOf(node).empty() && signal.size() == 3 && signal[1] == 1 &&
                                filters[1] == 1 && first(5, 1) == 1 && !node.arguments[6].truth &&
                                node.arguments[8].number == 1;
        const std::int64_t multiple = 16 / bytesOf(node.type);
        const bool isWorthIt =
            steps.size >= leastStep && steps.size % multiple == 0 && steps.count > 1 &&
            filters[0] >= leastStep &&
            static_cast<double>(steps.count * steps.size) <= mostWaste * static_cast<double>(filters[2]);
        return isOrdinary && isWorthIt ? std::optional(steps) : std::nullopt;
    }

    GraphNode inSteps(GraphNode node, const Steps &steps) {
        const std::int64_t length = (steps.results - 1 + steps.count) * steps.size;
        const int signal = lengthened(node.arguments[0].node, steps.padding, length);
        const int filters = lengthened(node.arguments[1].node, 0, steps.count * steps.size);
        node.arguments[0].node = apart(signal, steps.size);
        node.arguments[1].node = apart(filters, steps.size);
        node.arguments[3] = listArgument({1});
        node.arguments[4] = listArgument({0});
        return node;
    }

    /// So much of it, with so many zeros before it and as many behind it as `length` asks for.
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
    int apart(int operand, std::int64_t size) {
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

ReferenceGraph withCoarseSignals(const ReferenceGraph &graph) {
    return Coarsening(graph).run();
}

} // namespace warpwright
