// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/im2col_thin_convolution.h"

#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/ir/graph_rewriter.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t leastResults = 4; ///< per element of a window, which is written and read again

class Im2colThinConvolutions {
public:
    explicit Im2colThinConvolutions(const ReferenceGraph &graph) : m_graph(graph), m_rewriter(graph) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            const GraphNode &node = m_graph.nodes[static_cast<std::size_t>(position)];
            return isThin(node) ? asMatmul(m_rewriter.moved(position))
                                : m_rewriter.append(m_rewriter.moved(position));
        });
    }

private:
    [[nodiscard]] bool isThin(const GraphNode &node) const {
        if (node.kind != GraphNode::Kind::Operator || !isConvolution(node) || node.arguments[6].truth ||
            node.arguments[8].number != 1)
            return false;
        const Shape &filters = m_graph.nodes[static_cast<std::size_t>(node.arguments[1].node)].shape;
        const auto are = [&node](std::size_t argument, std::int64_t value) {
            const Shape values = node.arguments[argument].integers();
            return std::all_of(values.begin(), values.end(),
                               [value](std::int64_t some) { return some == value; });
        };
        const std::int64_t inner = elementCount({filters.begin() + 1, filters.end()});
        const std::int64_t positions = elementCount({node.shape.begin() + 2, node.shape.end()});
        return filters.size() == node.shape.size() && are(4, 0) && are(5, 1) &&
               filters[0] >= leastResults * inner &&
               isSkinnyMatmul({positions, inner, filters[0]}, bytesOf(node.type));
    }

    // [out, inner] x [inner, positions] for each image; the arguments are of the new graph.
    int asMatmul(const GraphNode &node) {
        const Shape image = m_rewriter.written(node.arguments[0].node).shape;
        const Shape filters = m_rewriter.written(node.arguments[1].node).shape;
        const std::size_t space = node.shape.size() - 2;
        Shape stride = node.arguments[3].integers();
        stride.resize(space, stride.empty() ? 1 : stride.back());
        int windows = node.arguments[0].node;
        Shape shape = image;
        for (std::size_t d = 0; d < space; ++d) {
            shape[d + 2] = node.shape[d + 2];
            shape.push_back(filters[d + 2]);
            windows = m_rewriter.append(node, "unfold", shape,
                                        {nodeArgument(windows), numberArgument(static_cast<double>(d + 2)),
                                         numberArgument(static_cast<double>(filters[d + 2])),
                                         numberArgument(static_cast<double>(stride[d]))});
        }
        Shape order = {0, 1}; // channels and taps before positions
        for (std::size_t d = 0; d < space; ++d)
            order.push_back(static_cast<std::int64_t>(2 + space + d));
        for (std::size_t d = 0; d < space; ++d)
            order.push_back(static_cast<std::int64_t>(2 + d));
        Shape transposed;
        for (const std::int64_t d : order)
            transposed.push_back(shape[static_cast<std::size_t>(d)]);
        windows =
            m_rewriter.append(node, "permute", transposed, {nodeArgument(windows), listArgument(order)});
        const std::int64_t inner = elementCount({filters.begin() + 1, filters.end()});
        const std::int64_t positions = elementCount({node.shape.begin() + 2, node.shape.end()});
        windows = viewed(node, windows, {image[0], inner, positions});
        const Shape all = {image[0], filters[0], inner};
        const int matrix = m_rewriter.append(
            node, "expand", all,
            {nodeArgument(viewed(node, node.arguments[1].node, {filters[0], inner})), listArgument(all)});
        const Shape sums = {image[0], filters[0], positions};
        int result = m_rewriter.append(node, "bmm", sums, {nodeArgument(matrix), nodeArgument(windows)});
        if (hasBias(node))
            result = m_rewriter.append(
                node, "add.Tensor", sums,
                {nodeArgument(result), nodeArgument(viewed(node, node.arguments[2].node, {filters[0], 1}))});
        return viewed(node, result, node.shape);
    }

    int viewed(const GraphNode &like, int of, const Shape &shape) {
        return m_rewriter.append(like, "view", shape, {nodeArgument(of), listArgument(shape)});
    }

    const ReferenceGraph &m_graph;
    GraphRewriter m_rewriter;
};

} // namespace

ReferenceGraph withIm2colThinConvolutions(const ReferenceGraph &graph) {
    return Im2colThinConvolutions(graph).run();
}

} // namespace warpwright
