// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/folded_padding.h"

#include "agent/playbook/convolution_plan.h"

#include <algorithm>

namespace warpwright {
namespace {

/// What a convolution's own padding becomes with that of the image before it, and the image without it.
struct Folded {
    int image = -1;
    Shape padding; ///< before each dimension of space
};

std::optional<Folded> foldedInto(const ReferenceGraph &graph, const GraphNode &node) {
    const bool isOrdinary = isConvolution(node) && !node.arguments[6].truth;
    if (!isOrdinary)
        return std::nullopt;
    const GraphNode &padded = graph.nodes[static_cast<std::size_t>(node.arguments[0].node)];
    const std::size_t space = node.shape.size() - 2;
    if (padded.op != QLatin1String("constant_pad_nd") || padded.shape.size() != node.shape.size())
        return std::nullopt;
    const GraphArgument *filled = padded.argument(2, "value");
    if (filled != nullptr && filled->number != 0)
        return std::nullopt;
    const Shape margins = padded.arguments[1].integers(); // before and behind, from the last dimension on
    if (std::any_of(margins.begin(), margins.end(), [](std::int64_t some) { return some < 0; }))
        return std::nullopt; // it cuts
    const bool isDepthwise = node.arguments[8].number > 1 &&
                             graph.nodes[static_cast<std::size_t>(node.arguments[1].node)].shape[1] == 1;
    Folded folded{padded.arguments[0].node, node.arguments[4].integers()};
    folded.padding.resize(space, folded.padding.empty() ? 0 : folded.padding.front());
    for (std::size_t i = 0; 2 * i + 1 < margins.size(); ++i) {
        const bool isEven = margins[2 * i] == margins[2 * i + 1];
        if (i < space ? !isEven && !isDepthwise : margins[2 * i] + margins[2 * i + 1] > 0)
            return std::nullopt;
        if (i < space)
            folded.padding[space - 1 - i] += margins[2 * i];
    }
    return folded;
}

} // namespace

ReferenceGraph withFoldedPadding(const ReferenceGraph &graph) {
    ReferenceGraph result = graph;
    for (GraphNode &node : result.nodes)
        if (const std::optional<Folded> folded = foldedInto(graph, node)) {
            node.arguments[0] = nodeArgument(folded->image);
            node.arguments[4] = listArgument(folded->padding);
        }
    return result;
}

} // namespace warpwright
