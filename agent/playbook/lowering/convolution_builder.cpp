// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/convolution_builder.h"

#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/analysis/image_edges.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/lowering/kernel_lowering.h"

namespace warpwright {
namespace {

/// Other sizes of what lies in memory by rows: where dimensions become one, no loop could follow both.
std::optional<KernelLeaf> reshapedLeaf(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    int base = node;
    while (!known.contains(base) && isReshape(graph.nodes[static_cast<std::size_t>(base)]))
        base = graph.nodes[static_cast<std::size_t>(base)].arguments[0].node;
    const auto memory = known.find(base);
    if (base == node || memory == known.end())
        return std::nullopt;
    const GraphNode &from = graph.nodes[static_cast<std::size_t>(base)];
    const BufferLayout &layout = memory->second.layout;
    if (from.type != what.type || layout != layoutByRows(from.shape) || !layout.isDense())
        return std::nullopt;
    return KernelLeaf{
        memory->second.buffer, what.type, {0, contiguousStrides(what.shape)}, {}, elementCount(what.shape)};
}

/// An operand as it lies in memory, if that is what the graph says without a computation.
std::optional<KernelLeaf> plainLeaf(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    if (auto leaf = reshapedLeaf(graph, known, node))
        return leaf;
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    const std::size_t dimensions = what.shape.size();
    KernelLowering lowering(graph, known, what.shape, dimensions);
    const int step = stepOf(lowering.lower(node, identityMap(dimensions, dimensions)));
    if (!isPlainLoad(lowering.kernel(), step))
        return std::nullopt;
    const KernelLeaf &leaf =
        lowering.kernel().leaves[static_cast<std::size_t>(lowering.kernel().step(step).leaf)];
    return leaf.type == what.type ? std::optional(leaf) : std::nullopt;
}

/// From dimension `first` on; before it there may be gaps.
bool isByRows(const AffineIndex &address, const Shape &shape, std::size_t first = 0) {
    const Shape strides = contiguousStrides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] > 1 && (d < first ? address.steps[d] < strides[d] : address.steps[d] != strides[d]))
            return false;
    return true;
}

bool isChannelsLast(const AffineIndex &address, const Shape &shape) {
    std::int64_t span = shape[1];
    if (address.steps[1] != 1)
        return false;
    for (std::size_t d = shape.size(); d-- > 2;) {
        if (shape[d] > 1 && address.steps[d] != span)
            return false;
        span *= shape[d];
    }
    return true;
}

/// Without gaps between images, or filters.
bool isPacked(const KernelLeaf &leaf, const Shape &shape) {
    return leaf.address.offset == 0 &&
           (shape[0] == 1 || leaf.address.steps[0] * shape[0] == elementCount(shape));
}

// An operand as it lies, or what has to be done before.
std::optional<KernelLeaf> leafWithChannelsLast(const ReferenceGraph &graph, const KnownBuffers &known,
                                               const KnownBuffers &copies, int operand,
                                               AnchorKernel &answer) {
    const Shape &shape = graph.nodes[static_cast<std::size_t>(operand)].shape;
    const auto liesSo = [&](const KnownBuffers &memory) {
        auto leaf = plainLeaf(graph, memory, operand);
        if (leaf && !(isChannelsLast(leaf->address, shape) && isPacked(*leaf, shape)))
            leaf.reset();
        return leaf;
    };
    if (const auto copy = copies.find(operand); copy != copies.end())
        return liesSo({*copy});
    if (auto leaf = liesSo(known))
        return leaf;
    const int base = belowViews(graph, operand);
    answer.before = base;
    answer.isCopy = known.contains(base);
    if (answer.isCopy)
        answer.before = operand;
    const Shape &below = graph.nodes[static_cast<std::size_t>(base)].shape;
    if (!answer.isCopy && below.size() >= 3 && below.size() <= 5)
        if (const BufferLayout layout = layoutWithChannelsLast(below); liesSo({{base, {0, layout}}}))
            answer.wished = layout;
    return std::nullopt;
}

Shape repeated(const GraphArgument *argument, std::size_t count) {
    Shape values = argument == nullptr ? Shape() : argument->integers();
    values.resize(count, values.empty() ? 0 : values.back());
    return values;
}

} // namespace

AnchorKernel convolutionKernel(const ReferenceGraph &graph, const KnownBuffers &known, int place,
                               const KnownBuffers &copies, bool isLast, bool mayBeLast) {
    const GraphNode &node = graph.nodes[static_cast<std::size_t>(place)];
    const int operands[2] = {node.arguments[0].node, node.arguments[1].node};
    AnchorKernel answer;
    FusedKernel kernel;
    ConvolutionSizes &sizes = kernel.convolution;
    const std::size_t space = node.shape.size() - 2;
    sizes.input = graph.nodes[static_cast<std::size_t>(operands[0])].shape;
    sizes.weight = graph.nodes[static_cast<std::size_t>(operands[1])].shape;
    sizes.output = node.shape;
    sizes.stride = repeated(node.argument(3), space);
    sizes.padding = repeated(node.argument(4), space);
    sizes.dilation = repeated(node.argument(5), space);
    sizes.edges = edgesOf(node);
    sizes.isTransposed = node.arguments[6].truth;
    sizes.groups = static_cast<std::int64_t>(node.arguments[8].number);
    if (space < 1 || space > 3) {
        answer.cannot = QStringLiteral("a convolution has %1 dimensions of space").arg(space);
        return answer;
    }
    kernel.anchor = Anchor::Convolution;
    kernel.loops = node.shape;
    kernel.outer = node.shape.size();
    int steps[2] = {-1, -1};
    for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
        const Shape &shape = which == 0 ? sizes.input : sizes.weight;
        if (isLast) {
            const auto leaf = leafWithChannelsLast(graph, known, copies, operands[which], answer);
            if (!leaf)
                return answer;
            if (which == 0) {
                sizes.inputStrides = leaf->address.steps;
                sizes.inputOffset = leaf->address.offset;
            }
            steps[which] =
                kernel.load({leaf->buffer, leaf->type, constantIndex(0, kernel.loops.size()), {}, 0});
            continue;
        }
        const auto copy = copies.find(operands[which]);
        const std::optional<KernelLeaf> leaf =
            plainLeaf(graph, copy == copies.end() ? known : KnownBuffers{*copy}, operands[which]);
        // Some channels of an image, or for our own kernel a part of it, are read where they lie.
        const std::size_t gaps = which != 0 ? 0 : sizes.isDepthwise() ? shape.size() - 1 : 1;
        const bool isFine =
            leaf && (isByRows(leaf->address, shape, gaps) ||
                     (which == 0 && sizes.isDepthwise() && isChannelsLast(leaf->address, shape)));
        const bool isWhole = which == 0 || (leaf && leaf->address.offset == 0);
        if (!isFine || !isWhole) {
            const int base = belowViews(graph, operands[which]);
            answer.before = known.contains(base) ? operands[which] : base;
            answer.isCopy = known.contains(answer.before);
            // As the convolution leaves it that it is made of.
            if (mayBeLast && which == 0 && sizes.isDepthwise() && base == operands[0] && !answer.isCopy &&
                comesWithChannelsLast(graph, base))
                answer.wished = layoutWithChannelsLast(shape);
            return answer;
        }
        if (which == 0) {
            sizes.inputStrides = leaf->address.steps;
            sizes.inputOffset = leaf->address.offset;
        }
        steps[which] = kernel.load({leaf->buffer, leaf->type, constantIndex(0, kernel.loops.size()), {}, 0});
    }
    // The steps stand for the library's work, so that what follows can stand on them.
    const ElementType type = computedType(node.type);
    const int product = kernel.add(KernelOp::Multiply, type, {steps[0], steps[1]});
    const int sum = kernel.add(KernelOp::RowSum, type, {product});
    sizes.isChannelsLast = isLast;
    answer.layout = sizes.isChannelsLast ? layoutWithChannelsLast(node.shape) : layoutByRows(node.shape);
    kernel.stores.push_back({sum, -1, node.type, {0, answer.layout.strides}});
    answer.kernel = std::move(kernel);
    return answer;
}

} // namespace warpwright
