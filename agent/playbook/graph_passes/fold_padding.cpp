// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/fold_padding.h"

#include "agent/playbook/analysis/boundary_modes.h"
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double mostMore = 1.1; ///< results, including unused ones

/// A convolution's padding including that of the image before it, and the unpadded image.
struct Folded {
    int image = -1;
    Shape padding; ///< before and after each dimension of space (a depthwise one has its own after)
    Shape results; ///< by dimension of space, including unused ones at the end
};

class FoldedPadding {
public:
    explicit FoldedPadding(const ReferenceGraph &graph)
        : m_graph(graph), m_readers(readersOf(graph)), m_rewriter(graph) {
        m_isRead.resize(graph.nodes.size(), false);
        for (const GraphNode &node : graph.nodes)
            forEachTensor(node, [this](const GraphArgument &argument) {
                m_isRead[static_cast<std::size_t>(argument.node)] = true;
            });
        for (const int output : graph.outputs)
            m_isRead[static_cast<std::size_t>(output)] = false; // a result would have to be made contiguous
    }

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            if (const auto padded = boundaryPaddingOf(position))
                return m_rewriter.append(m_rewriter.moved(withEdges(m_rewriter.old(position), *padded)));
            const std::optional<Folded> folded = foldedInto(position);
            if (!folded)
                return m_rewriter.append(m_rewriter.moved(position));
            GraphNode node = m_rewriter.old(position);
            node.arguments[0] = nodeArgument(folded->image);
            node.arguments[4] = listArgument(folded->padding);
            return cut(m_rewriter.moved(std::move(node)), folded->results);
        });
    }

private:
    [[nodiscard]] const GraphNode &nodeOf(const GraphArgument &argument) const {
        return m_rewriter.old(argument.node);
    }

    [[nodiscard]] std::optional<Folded> foldedInto(int position) const {
        const GraphNode &node = m_rewriter.old(position);
        const bool isOrdinary = isConvolution(node) && !node.arguments[6].truth;
        if (!isOrdinary)
            return std::nullopt;
        const GraphNode &padded = nodeOf(node.arguments[0]);
        const std::size_t space = node.shape.size() - 2;
        if (padded.op != QLatin1String("constant_pad_nd") || padded.shape.size() != node.shape.size())
            return std::nullopt;
        const GraphArgument *filled = padded.argument(2, "value");
        if (filled != nullptr && filled->number != 0)
            return std::nullopt;
        const Shape margins = padded.arguments[1].integers(); // before and after, from the last dimension on
        if (std::any_of(margins.begin(), margins.end(), [](std::int64_t some) { return some < 0; }))
            return std::nullopt; // it crops
        const bool isDepthwise = node.arguments[8].number > 1 && nodeOf(node.arguments[1]).shape[1] == 1;
        const Shape stride = repeated(node.arguments[3], space);
        Folded folded{padded.arguments[0].node,
                      repeated(node.arguments[4], space),
                      {node.shape.begin() + 2, node.shape.end()}};
        for (std::size_t i = 0; 2 * i + 1 < margins.size(); ++i) {
            if (i >= space && margins[2 * i] + margins[2 * i + 1] > 0)
                return std::nullopt;
            if (i >= space)
                continue;
            const std::size_t d = space - 1 - i;
            const std::int64_t more = margins[2 * i] - margins[2 * i + 1]; // more zeros than there were after
            folded.padding[d] += margins[2 * i];
            if (isDepthwise || more == 0)
                continue;
            if (more < 0 || !m_isRead[static_cast<std::size_t>(position)])
                return std::nullopt;
            // The number of windows is rounded down: some of the zeros may have been in none.
            const std::int64_t span = nodeOf(padded.arguments[0]).shape[2 + d] + 2 * folded.padding[d];
            const std::int64_t window =
                (nodeOf(node.arguments[1]).shape[2 + d] - 1) * repeated(node.arguments[5], space)[d] + 1;
            folded.results[d] = (span - window) / stride[d] + 1;
        }
        const auto made = static_cast<double>(elementCount(folded.results));
        const auto needed = static_cast<double>(elementCount(node.shape) / (node.shape[0] * node.shape[1]));
        return made <= mostMore * needed ? std::optional(folded) : std::nullopt;
    }

    /// A depthwise convolution, which is a kernel of ours.
    [[nodiscard]] bool isDepthwiseConvolution(int position) const {
        const GraphNode &node = m_rewriter.old(position);
        if (!isConvolution(node) || node.shape.size() < 3)
            return false;
        ConvolutionSizes sizes;
        sizes.weight = nodeOf(node.arguments[1]).shape;
        sizes.groups = static_cast<std::int64_t>(node.arguments[8].number);
        sizes.isTransposed = node.arguments[6].truth;
        return sizes.isDepthwise();
    }

    /// Input of a depthwise convolution whose boundary is not zeros, and need not be written.
    [[nodiscard]] std::optional<PaddedInput> boundaryPaddingOf(int position) const {
        if (!isDepthwiseConvolution(position))
            return std::nullopt;
        const GraphNode &node = m_rewriter.old(position);
        const int operand = node.arguments[0].node;
        const auto padded = paddedInputOf(m_graph, operand);
        const std::vector<int> &readers = m_readers[static_cast<std::size_t>(operand)];
        // The image is in memory anyway, or no other node needs the padded one.
        const bool isFree = padded && (m_rewriter.old(padded->image).kind != GraphNode::Kind::Operator ||
                                       std::all_of(readers.begin(), readers.end(), [this](int reader) {
                                           return reader >= 0 && isDepthwiseConvolution(reader);
                                       }));
        if (!isFree)
            return std::nullopt;
        const Shape own = repeated(node.arguments[4], node.shape.size() - 2);
        for (std::size_t d = 0; d < own.size(); ++d)
            if (own[d] > 0 && padded->boundaryModes[d] != BoundaryMode::Zeros)
                return std::nullopt; // zero padding around that
        return padded;
    }

    [[nodiscard]] static GraphNode withEdges(GraphNode node, const PaddedInput &padded) {
        Shape padding = repeated(node.arguments[4], node.shape.size() - 2);
        for (std::size_t d = 0; d < padding.size(); ++d)
            padding[d] += padded.before[d];
        node.arguments[0] = nodeArgument(padded.image);
        node.arguments[4] = listArgument(padding);
        node.keywords.push_back(boundaryArgument(padded.boundaryModes));
        return node;
    }

    static Shape repeated(const GraphArgument &argument, std::size_t count) {
        Shape values = argument.integers();
        values.resize(count, values.empty() ? 0 : values.front());
        return values;
    }

    /// The convolution with so many results, and a slice of those that the reference has.
    int cut(GraphNode node, const Shape &results) {
        const Shape wanted = node.shape;
        for (std::size_t d = 0; d < results.size(); ++d)
            node.shape[2 + d] = results[d];
        if (node.shape != wanted)
            node.strides = contiguousStrides(node.shape);
        int last = m_rewriter.append(std::move(node));
        for (std::size_t d = 2; d < wanted.size(); ++d) {
            const GraphNode &from = m_rewriter.written(last);
            if (from.shape[d] == wanted[d])
                continue;
            GraphNode view;
            view.name = from.name;
            view.op = QStringLiteral("slice.Tensor");
            view.type = from.type;
            view.shape = from.shape;
            view.shape[d] = wanted[d];
            view.strides = from.strides;
            view.arguments = {nodeArgument(last), numberArgument(static_cast<double>(d)), numberArgument(0),
                              numberArgument(static_cast<double>(wanted[d]))};
            last = m_rewriter.append(std::move(view));
        }
        return last;
    }

    const ReferenceGraph &m_graph;
    std::vector<std::vector<int>> m_readers; ///< of the graph's nodes
    GraphRewriter m_rewriter;
    std::vector<bool> m_isRead; ///< by another node, and is no result
};

} // namespace

ReferenceGraph withFoldedPadding(const ReferenceGraph &graph) {
    return FoldedPadding(graph).run();
}

} // namespace warpwright
