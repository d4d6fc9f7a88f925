// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/convolution_builder.h"

#include "agent/playbook/analysis/boundary_modes.h"
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/node_lowering.h"

namespace warpwright {
namespace {

/// A reshape of a row-major buffer as a plain input: no loops could follow merged dimensions.
std::optional<KernelInput> reshapedInput(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    int base = node;
    while (!known.contains(base) && isReshape(graph.nodes[static_cast<std::size_t>(base)]))
        base = graph.nodes[static_cast<std::size_t>(base)].arguments[0].node;
    const auto memory = known.find(base);
    if (base == node || memory == known.end())
        return std::nullopt;
    const GraphNode &from = graph.nodes[static_cast<std::size_t>(base)];
    const TensorLayout &layout = memory->second.layout;
    if (from.type != what.type || layout != contiguousLayout(from.shape) || !layout.isDense())
        return std::nullopt;
    return KernelInput{
        memory->second.buffer, what.type, {0, contiguousStrides(what.shape)}, {}, elementCount(what.shape)};
}

/// The operand as it is in memory, if the graph only views it.
std::optional<KernelInput> plainInput(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    if (auto input = reshapedInput(graph, known, node))
        return input;
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    const std::size_t dimensions = what.shape.size();
    NodeLowering lowering(graph, known, what.shape, dimensions);
    const int step = stepOf(lowering.lower(node, identityMap(dimensions, dimensions)));
    if (!isPlainLoad(lowering.kernel(), step))
        return std::nullopt;
    const KernelInput &input =
        lowering.kernel().inputs[static_cast<std::size_t>(lowering.kernel().step(step).input)];
    return input.type == what.type ? std::optional(input) : std::nullopt;
}

/// Row-major from dimension `first` on; outer strides may have gaps.
bool isRowMajor(const AffineExpr &address, const Shape &shape, std::size_t first = 0) {
    const Shape strides = contiguousStrides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] > 1 && (d < first ? address.steps[d] < strides[d] : address.steps[d] != strides[d]))
            return false;
    return true;
}

bool isChannelsLast(const AffineExpr &address, const Shape &shape) {
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
bool isWithoutGaps(const KernelInput &input, const Shape &shape) {
    return input.address.offset == 0 &&
           (shape[0] == 1 || input.address.steps[0] * shape[0] == elementCount(shape));
}

// The operand as an NHWC input, or sets the prerequisite.
std::optional<KernelInput> inputWithChannelsLast(const ReferenceGraph &graph, const KnownBuffers &known,
                                                 const KnownBuffers &copies, int operand,
                                                 StructuredKernel &answer) {
    const Shape &shape = graph.nodes[static_cast<std::size_t>(operand)].shape;
    const auto channelsLastIn = [&](const KnownBuffers &memory) {
        auto input = plainInput(graph, memory, operand);
        if (input && !(isChannelsLast(input->address, shape) && isWithoutGaps(*input, shape)))
            input.reset();
        return input;
    };
    if (const auto copy = copies.find(operand); copy != copies.end())
        return channelsLastIn({*copy});
    if (auto input = channelsLastIn(known))
        return input;
    const int base = belowViews(graph, operand);
    answer.prerequisite = base;
    answer.isCopy = known.contains(base);
    if (answer.isCopy)
        answer.prerequisite = operand;
    const Shape &below = graph.nodes[static_cast<std::size_t>(base)].shape;
    if (!answer.isCopy && below.size() >= 3 && below.size() <= 5)
        if (const TensorLayout layout = channelsLastLayout(below); channelsLastIn({{base, {0, layout}}}))
            answer.preferredLayout = layout;
    return std::nullopt;
}

Shape expanded(const GraphArgument *argument, std::size_t count) {
    Shape values = argument == nullptr ? Shape() : argument->integers();
    values.resize(count, values.empty() ? 0 : values.back());
    return values;
}

} // namespace

StructuredKernel convolutionKernel(const ReferenceGraph &graph, const KnownBuffers &known, int nodeIndex,
                                   const KnownBuffers &copies, bool usesChannelsLast,
                                   bool mayBeChannelsLast) {
    const GraphNode &node = graph.nodes[static_cast<std::size_t>(nodeIndex)];
    const int operands[2] = {node.arguments[0].node, node.arguments[1].node};
    StructuredKernel answer;
    Kernel kernel;
    ConvolutionSizes &sizes = kernel.structuredOp.emplace<Convolution>().sizes;
    const std::size_t space = node.shape.size() - 2;
    sizes.input = graph.nodes[static_cast<std::size_t>(operands[0])].shape;
    sizes.weight = graph.nodes[static_cast<std::size_t>(operands[1])].shape;
    sizes.output = node.shape;
    sizes.stride = expanded(node.argument(3), space);
    sizes.padding = expanded(node.argument(4), space);
    sizes.dilation = expanded(node.argument(5), space);
    sizes.boundaryModes = boundaryModesOf(node);
    sizes.isTransposed = node.arguments[6].truth;
    sizes.groups = static_cast<std::int64_t>(node.arguments[8].number);
    if (space < 1 || space > 3) {
        answer.unsupported = QStringLiteral("a convolution has %1 spatial dimensions").arg(space);
        return answer;
    }
    kernel.loops = node.shape;
    kernel.outer = node.shape.size();
    int steps[2] = {-1, -1};
    for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
        const Shape &shape = which == 0 ? sizes.input : sizes.weight;
        if (usesChannelsLast) {
            const auto input = inputWithChannelsLast(graph, known, copies, operands[which], answer);
            if (!input)
                return answer;
            if (which == 0) {
                sizes.inputStrides = input->address.steps;
                sizes.inputOffset = input->address.offset;
            }
            steps[which] =
                kernel.load({input->buffer, input->type, constantIndex(0, kernel.loops.size()), {}, 0});
            continue;
        }
        const auto copy = copies.find(operands[which]);
        const std::optional<KernelInput> input =
            plainInput(graph, copy == copies.end() ? known : KnownBuffers{*copy}, operands[which]);
        // A channel slice is read in place; our depthwise kernel also reads spatial slices in place.
        const std::size_t gaps = which != 0 ? 0 : sizes.isDepthwise() ? shape.size() - 1 : 1;
        const bool isFine =
            input && (isRowMajor(input->address, shape, gaps) ||
                      (which == 0 && sizes.isDepthwise() && isChannelsLast(input->address, shape)));
        const bool hasNoOffset = which == 0 || (input && input->address.offset == 0);
        if (!isFine || !hasNoOffset) {
            const int base = belowViews(graph, operands[which]);
            answer.prerequisite = known.contains(base) ? operands[which] : base;
            answer.isCopy = known.contains(answer.prerequisite);
            // The layout in which the convolution that produces it leaves it.
            if (mayBeChannelsLast && which == 0 && sizes.isDepthwise() && base == operands[0] &&
                !answer.isCopy && comesWithChannelsLast(graph, base))
                answer.preferredLayout = channelsLastLayout(shape);
            return answer;
        }
        if (which == 0) {
            sizes.inputStrides = input->address.steps;
            sizes.inputOffset = input->address.offset;
        }
        steps[which] =
            kernel.load({input->buffer, input->type, constantIndex(0, kernel.loops.size()), {}, 0});
    }
    // These steps stand for the library call, so that an epilogue can refer to its result.
    const ElementType type = computeType(node.type);
    const int term = kernel.add(Opcode::Multiply, type, {steps[0], steps[1]});
    const int sum = kernel.add(Opcode::RowSum, type, {term});
    sizes.isChannelsLast = usesChannelsLast;
    answer.layout = sizes.isChannelsLast ? channelsLastLayout(node.shape) : contiguousLayout(node.shape);
    kernel.stores.push_back({sum, -1, node.type, {0, answer.layout.strides}});
    answer.kernel = std::move(kernel);
    return answer;
}

} // namespace warpwright
