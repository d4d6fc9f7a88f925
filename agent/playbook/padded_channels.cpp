// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/padded_channels.h"

#include "agent/playbook/convolution_plan.h"

namespace warpwright {
namespace {

constexpr std::int64_t mostTimes = 3; ///< beyond it the units would multiply little but zeros

/// How many channels of a group there are then; as many as before where nothing is to be done.
std::int64_t paddedChannels(const ReferenceGraph &graph, const GraphNode &node) {
    if (!isConvolution(node))
        return 0;
    const Shape &filters = graph.nodes[static_cast<std::size_t>(node.arguments[1].node)].shape;
    const std::int64_t channels = filters[1];
    const std::int64_t multiple = 16 / bytesOf(node.type);
    const std::int64_t padded = (channels + multiple - 1) / multiple * multiple;
    const bool isOrdinary = node.shape.size() <= 5 && node.type != ElementType::Float64 &&
                            !node.arguments[6].truth && node.arguments[8].number == 1;
    return isOrdinary && filters[0] % multiple == 0 && padded <= mostTimes * channels ? padded : channels;
}

class Padding {
public:
    explicit Padding(const ReferenceGraph &graph) : m_graph(graph) {}

    ReferenceGraph run() {
        m_result = m_graph;
        m_result.nodes.clear();
        for (const GraphNode &before : m_graph.nodes) {
            GraphNode node = before;
            forEachTensor(node, [this](GraphArgument &argument) {
                argument.node = m_places[static_cast<std::size_t>(argument.node)];
            });
            if (const std::int64_t wanted = paddedChannels(m_graph, before); wanted > 0) {
                for (const std::size_t operand : {std::size_t(0), std::size_t(1)})
                    node.arguments[operand].node = padded(node.arguments[operand].node, wanted);
            }
            m_places.push_back(append(std::move(node)));
        }
        for (int &output : m_result.outputs)
            output = m_places[static_cast<std::size_t>(output)];
        return std::move(m_result);
    }

private:
    int append(GraphNode node) {
        m_result.nodes.push_back(std::move(node));
        return static_cast<int>(m_result.nodes.size()) - 1;
    }

    int padded(int operand, std::int64_t channels) {
        const GraphNode &from = m_result.nodes[static_cast<std::size_t>(operand)];
        if (from.shape[1] >= channels)
            return operand;
        GraphNode node;
        node.name = from.name;
        node.op = QStringLiteral("constant_pad_nd");
        node.type = from.type;
        node.shape = from.shape;
        node.shape[1] = channels;
        node.strides = contiguousStrides(node.shape);
        Shape widths(2 * (from.shape.size() - 1), 0); // from the last dimension, before and after
        widths.back() = channels - from.shape[1];
        node.arguments = {nodeArgument(operand), listArgument(widths), numberArgument(0)};
        return append(std::move(node));
    }

    const ReferenceGraph &m_graph;
    std::vector<int> m_places; ///< of the graph's nodes in the new one
    ReferenceGraph m_result;
};

} // namespace

ReferenceGraph withPaddedChannels(const ReferenceGraph &graph) {
    return Padding(graph).run();
}

} // namespace warpwright
