// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/convolution_pattern.h"

#include "agent/playbook/analysis/operator_traits.h"

#include <algorithm>
#include <set>

namespace warpwright {

bool isConvolution(const GraphNode &node) {
    return node.op == QLatin1String("convolution") && isFloating(node.type);
}

bool hasBias(const GraphNode &convolution) {
    return convolution.arguments[2].kind == GraphArgument::Kind::Node;
}

bool canBeChannelsLast(const ReferenceGraph &graph, const GraphNode &node) {
    if (!isConvolution(node) || node.shape.size() < 3 || node.shape.size() > 5 ||
        node.type == ElementType::Float64)
        return false;
    const Shape &filters = graph.nodes[static_cast<std::size_t>(node.arguments[1].node)].shape;
    const auto groups = static_cast<std::int64_t>(node.arguments[8].number);
    const std::int64_t multiple = 16 / bytesOf(node.type); // loads of 16 bytes
    return filters[0] / groups % multiple == 0 && filters[1] % multiple == 0;
}

bool comesWithChannelsLast(const ReferenceGraph &graph, int node) {
    std::vector<int> waiting = {node};
    std::set<int> seen = {node};
    while (!waiting.empty()) {
        const GraphNode &what = graph.nodes[static_cast<std::size_t>(waiting.back())];
        waiting.pop_back();
        if (isConvolution(what) && canBeChannelsLast(graph, what))
            return true;
        // A matmul whose rows are the channels of a pixel, permuted to an image.
        if (what.op.startsWith(QLatin1String("permute"))) {
            const Shape order = what.arguments[1].integers();
            if (order.size() >= 3 && order[0] == 0 && order[1] == static_cast<std::int64_t>(order.size()) - 1)
                return true;
        }
        if (isConvolution(what) || !isPointwise(what))
            continue;
        forEachTensor(what, [&](const GraphArgument &argument) {
            if (graph.nodes[static_cast<std::size_t>(argument.node)].shape == what.shape &&
                seen.insert(argument.node).second)
                waiting.push_back(argument.node);
        });
    }
    return false;
}

TensorLayout channelsLastLayout(const Shape &shape) {
    std::vector<std::size_t> order = {0};
    for (std::size_t d = 2; d < shape.size(); ++d)
        order.push_back(d);
    order.push_back(1);
    return layoutInOrder(shape, order, 1, shape[1]);
}

bool readsChannelsLast(const Program &program, const ReferenceGraph &graph, const Kernel &kernel) {
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
        const ProgramBuffer &buffer = program.buffers[static_cast<std::size_t>(input.buffer)];
        const Shape &shape = graph.nodes[static_cast<std::size_t>(buffer.node)].shape;
        return buffer.kind == ProgramBuffer::Kind::Temporary && shape.size() >= 3 &&
               buffer.layout == channelsLastLayout(shape);
    });
}

} // namespace warpwright
