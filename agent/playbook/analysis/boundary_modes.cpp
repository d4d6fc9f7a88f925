// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/boundary_modes.h"

#include "agent/playbook/analysis/slice_composition.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t largestExtent = 1 << 16; ///< of a dimension: larger ones are not analysed
constexpr std::int64_t padIndex = -1;           ///< an element of zero padding

using Indices = std::vector<std::int64_t>; ///< for each element its source index in the image, or padIndex

QString opNameOf(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0);
}

Indices inOrder(std::int64_t count) {
    Indices indices(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < indices.size(); ++i)
        indices[i] = static_cast<std::int64_t>(i);
    return indices;
}

/// Evaluates 1-D integer tensors that depend on no input, such as a range and its mirror image.
class ConstantIntegers {
public:
    explicit ConstantIntegers(const ReferenceGraph &graph) : m_graph(graph) {}

    /// Empty: not constant, or not 1-D.
    [[nodiscard]] std::optional<Indices> of(int index) const {
        const GraphNode &node = m_graph.nodes[static_cast<std::size_t>(index)];
        const bool isRow = node.kind == GraphNode::Kind::Operator && node.type == ElementType::Int64 &&
                           node.shape.size() == 1 && node.shape[0] <= largestExtent;
        if (!isRow || node.arguments.empty())
            return std::nullopt;
        const QString word = opNameOf(node);
        if (word == QLatin1String("arange"))
            return range(node);
        if (word == QLatin1String("abs") || word == QLatin1String("neg")) {
            auto some = operand(node.arguments[0], node.shape[0]);
            if (some)
                for (std::int64_t &number : *some)
                    number = word == QLatin1String("neg") || number < 0 ? -number : number;
            return some;
        }
        return word.startsWith(QLatin1String("clamp")) ? clamped(node, word) : ofTwo(node, word);
    }

private:
    static std::optional<Indices> range(const GraphNode &node) {
        const bool isWhole = node.op == QLatin1String("arange.start_step");
        const auto number = [&node](std::size_t at, double otherwise) {
            return static_cast<std::int64_t>(at < node.arguments.size() ? node.arguments[at].number
                                                                        : otherwise);
        };
        Indices indices = inOrder(node.shape[0]);
        for (std::int64_t &index : indices)
            index = (isWhole ? number(0, 0) : 0) + index * (isWhole ? number(2, 1) : 1);
        return isWhole || node.op == QLatin1String("arange") ? std::optional(indices) : std::nullopt;
    }

    [[nodiscard]] std::optional<Indices> operand(const GraphArgument &argument, std::int64_t count) const {
        if (argument.kind == GraphArgument::Kind::Number)
            return Indices(static_cast<std::size_t>(count), static_cast<std::int64_t>(argument.number));
        if (argument.kind != GraphArgument::Kind::Node)
            return std::nullopt;
        auto some = of(argument.node);
        return some && static_cast<std::int64_t>(some->size()) == count ? some : std::nullopt;
    }

    [[nodiscard]] std::optional<Indices> clamped(const GraphNode &node, const QString &word) const {
        auto some = operand(node.arguments[0], node.shape[0]);
        const bool isUpperOnly = word == QLatin1String("clamp_max");
        const GraphArgument *lower = isUpperOnly ? nullptr : node.argument(1, "min");
        const GraphArgument *upper = isUpperOnly                          ? node.argument(1, "max")
                                     : word == QLatin1String("clamp_min") ? nullptr
                                                                          : node.argument(2, "max");
        for (const GraphArgument *bound : {lower, upper}) {
            if (!some || bound == nullptr || bound->kind == GraphArgument::Kind::None)
                continue;
            if (bound->kind != GraphArgument::Kind::Number)
                return std::nullopt;
            const auto value = static_cast<std::int64_t>(bound->number);
            for (std::int64_t &number : *some)
                number = bound == lower ? std::max(number, value) : std::min(number, value);
        }
        return some;
    }

    [[nodiscard]] std::optional<Indices> ofTwo(const GraphNode &node, const QString &word) const {
        if (node.arguments.size() != 2 || !node.keywords.empty())
            return std::nullopt;
        auto one = operand(node.arguments[0], node.shape[0]);
        const auto two = operand(node.arguments[1], node.shape[0]);
        if (!one || !two)
            return std::nullopt;
        for (std::size_t i = 0; i < one->size(); ++i) {
            std::int64_t &number = (*one)[i];
            const std::int64_t other = (*two)[i];
            if (word == QLatin1String("add"))
                number += other;
            else if (word == QLatin1String("sub"))
                number -= other;
            else if (word == QLatin1String("mul"))
                number *= other;
            else if (word == QLatin1String("minimum"))
                number = std::min(number, other);
            else if (word == QLatin1String("maximum"))
                number = std::max(number, other);
            else if (word == QLatin1String("remainder") && other > 0)
                number = (number % other + other) % other;
            else
                return std::nullopt;
        }
        return one;
    }

    const ReferenceGraph &m_graph;
};

/// A node as a gather from one of its ancestors, dimension by dimension.
struct GatherMap {
    int node = -1;
    std::vector<Indices> indices;
};

/// Whether converting `type` to `wider` and back is lossless.
bool isIn(ElementType type, ElementType wider) {
    return type == wider || (wider == ElementType::Float64 && isFloating(type)) ||
           (wider == ElementType::Float32 && (type == ElementType::Float16 || type == ElementType::BFloat16));
}

class BoundaryReader {
public:
    explicit BoundaryReader(const ReferenceGraph &graph) : m_graph(graph), m_numbers(graph) {}

    [[nodiscard]] std::optional<PaddedInput> inputBelow(int node) const {
        const ElementType type = at(node).type;
        const Shape &shape = at(node).shape;
        std::optional<PaddedInput> best;
        if (std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size > largestExtent; }))
            return best;
        for (const GatherMap &gather : chainOf(node)) {
            if (!isIn(type, at(gather.node).type))
                break; // rounded in between
            if (at(gather.node).type != type)
                continue;
            const auto found = inputAt(gather);
            const bool isPadded =
                found && std::any_of(found->boundaryModes.begin(), found->boundaryModes.end(),
                                     [](BoundaryMode mode) { return mode != BoundaryMode::Zeros; });
            if (isPadded)
                best = found;
        }
        return best;
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }

    /// The node itself, the source that it gathers from, the source of that...
    [[nodiscard]] std::vector<GatherMap> chainOf(int node) const {
        GatherMap last{node, {}};
        for (const std::int64_t size : at(node).shape)
            last.indices.push_back(inOrder(size));
        std::vector<GatherMap> chain{last};
        while (std::optional<GatherMap> next = below(chain.back()))
            chain.push_back(std::move(*next));
        return chain;
    }

    [[nodiscard]] std::optional<GatherMap> below(const GatherMap &gather) const {
        const GraphNode &node = at(gather.node);
        const bool hasTensor = node.kind == GraphNode::Kind::Operator && !node.arguments.empty();
        if (!hasTensor)
            return std::nullopt;
        const QString word = opNameOf(node);
        if (word == QLatin1String("cat") || word == QLatin1String("slice_scatter"))
            return belowSlices(gather);
        if (node.arguments[0].kind != GraphArgument::Kind::Node)
            return std::nullopt;
        GatherMap next{node.arguments[0].node, gather.indices};
        const Shape &from = at(next.node).shape;
        const bool isCopy = word == QLatin1String("clone") || word == QLatin1String("alias") ||
                            word == QLatin1String("detach") || word == QLatin1String("_to_copy") ||
                            node.op == QLatin1String("prims.convert_element_type");
        if (isCopy && from == node.shape && isFloating(at(next.node).type))
            return next;
        if (from.size() != node.shape.size())
            return std::nullopt;
        std::optional<std::pair<std::size_t, Indices>> along;
        if (word == QLatin1String("index") || word == QLatin1String("index_select"))
            along = gatheredDimension(node, from);
        else if (word == QLatin1String("slice"))
            along = sliced(node, from);
        else if (word == QLatin1String("constant_pad_nd"))
            return belowZeros(gather);
        if (!along)
            return std::nullopt;
        for (std::int64_t &index : next.indices[along->first])
            index = index == padIndex ? padIndex : along->second[static_cast<std::size_t>(index)];
        return next;
    }

    /// The only indexed dimension, and its indices.
    [[nodiscard]] std::optional<std::pair<std::size_t, Indices>> gatheredDimension(const GraphNode &node,
                                                                                   const Shape &from) const {
        std::size_t dimension = 0;
        int indices = -1;
        if (opNameOf(node) == QLatin1String("index_select")) {
            const double number = node.arguments[1].number;
            dimension =
                static_cast<std::size_t>(number < 0 ? number + static_cast<double>(from.size()) : number);
            indices = node.arguments[2].node;
        } else {
            const std::vector<GraphArgument> &items = node.arguments[1].items;
            for (std::size_t d = 0; d < items.size(); ++d) {
                if (items[d].kind != GraphArgument::Kind::Node)
                    continue;
                if (indices >= 0)
                    return std::nullopt;
                indices = items[d].node;
                dimension = d;
            }
        }
        if (indices < 0)
            return std::nullopt;
        auto numbers = m_numbers.of(indices);
        if (!numbers)
            return std::nullopt;
        for (std::int64_t &number : *numbers) {
            number += number < 0 ? from[dimension] : 0;
            if (number < 0 || number >= from[dimension])
                return std::nullopt;
        }
        return std::pair(dimension, std::move(*numbers));
    }

    [[nodiscard]] static std::pair<std::size_t, Indices> sliced(const GraphNode &node, const Shape &from) {
        const SlicedDimension slice = slicedDimension(node, from, 1);
        Indices indices = inOrder(node.shape[slice.dimension]);
        for (std::int64_t &index : indices)
            index = slice.start + index * slice.step;
        return {slice.dimension, std::move(indices)};
    }

    [[nodiscard]] std::optional<GatherMap> belowZeros(const GatherMap &gather) const {
        const GraphNode &node = at(gather.node);
        const GraphArgument *filled = node.argument(2, "value");
        if (filled != nullptr && filled->number != 0)
            return std::nullopt;
        GatherMap next{node.arguments[0].node, gather.indices};
        const Shape &from = at(next.node).shape;
        const Shape margins = node.arguments[1].integers(); // before and after, from the last dimension on
        for (std::size_t i = 0; 2 * i + 1 < margins.size(); ++i) {
            const std::size_t d = from.size() - 1 - i;
            for (std::int64_t &index : next.indices[d])
                if (index != padIndex) {
                    index -= margins[2 * i];
                    index = index < 0 || index >= from[d] ? padIndex : index;
                }
        }
        return next;
    }

    /// A concatenation, or slice_scatter, of elements of one tensor: the nearest such tensor.
    [[nodiscard]] std::optional<GatherMap> belowSlices(const GatherMap &gather) const {
        auto whole = sliceCompositionOf(m_graph, gather.node);
        if (!whole)
            return std::nullopt;
        for (std::size_t d = 0; d < gather.indices.size(); ++d) {
            Indices indices = gather.indices[d];
            for (std::int64_t &index : indices)
                index = index == padIndex ? padIndex : whole->indices[d][static_cast<std::size_t>(index)];
            whole->indices[d] = std::move(indices);
        }
        return GatherMap{whole->node, std::move(whole->indices)};
    }

    [[nodiscard]] std::optional<PaddedInput> inputAt(const GatherMap &gather) const {
        const Shape &shape = at(gather.node).shape;
        if (shape.size() != gather.indices.size() || shape.size() < 3 || shape.size() > 5)
            return std::nullopt;
        PaddedInput found{gather.node, {}, {}};
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const auto side = sideOf(gather.indices[d], shape[d]);
            const bool isWhole = side && side->second == BoundaryMode::Zeros && side->first == 0 &&
                                 gather.indices[d].size() == static_cast<std::size_t>(shape[d]);
            if (!side || (d < 2 && !isWhole))
                return std::nullopt;
            if (d < 2)
                continue;
            found.before.push_back(side->first);
            found.boundaryModes.push_back(side->second);
        }
        return found;
    }

    /// The padding before `size` elements, and the mode of both sides.
    static std::optional<std::pair<std::int64_t, BoundaryMode>> sideOf(const Indices &indices,
                                                                       std::int64_t size) {
        const auto count = static_cast<std::int64_t>(indices.size());
        for (std::int64_t before = 0; before + size <= count; ++before) {
            const auto first = indices.begin() + before;
            bool isInside = true;
            for (std::int64_t i = 0; i < size && isInside; ++i)
                isInside = first[i] == i;
            if (!isInside)
                continue;
            for (const BoundaryMode mode : {BoundaryMode::Zeros, BoundaryMode::Replicate,
                                            BoundaryMode::Reflect, BoundaryMode::Circular}) {
                bool isSo = true;
                for (std::int64_t i = 0; i < count && isSo; ++i)
                    isSo = indices[static_cast<std::size_t>(i)] == indexAt(i - before, size, mode);
                if (isSo)
                    return std::pair(before, mode);
            }
        }
        return std::nullopt;
    }

    /// The source of a padded index, as kernels compute it: reflected or wrapped at most once.
    static std::int64_t indexAt(std::int64_t index, std::int64_t size, BoundaryMode mode) {
        const bool isInside = index >= 0 && index < size;
        std::int64_t other = padIndex;
        if (mode == BoundaryMode::Replicate)
            other = index < 0 ? 0 : size - 1;
        if (mode == BoundaryMode::Reflect)
            other = index < 0 ? -index : 2 * (size - 1) - index;
        if (mode == BoundaryMode::Circular)
            other = index < 0 ? index + size : index - size;
        return isInside ? index : other >= 0 && other < size ? other : padIndex;
    }

    const ReferenceGraph &m_graph;
    ConstantIntegers m_numbers;
};

} // namespace

std::optional<PaddedInput> paddedInputOf(const ReferenceGraph &graph, int node) {
    return BoundaryReader(graph).inputBelow(node);
}

std::pair<QString, GraphArgument> boundaryArgument(const std::vector<BoundaryMode> &boundaryModes) {
    Shape numbers;
    for (const BoundaryMode mode : boundaryModes)
        numbers.push_back(static_cast<std::int64_t>(mode));
    return {QStringLiteral("edges"), listArgument(numbers)};
}

std::vector<BoundaryMode> boundaryModesOf(const GraphNode &convolution) {
    std::vector<BoundaryMode> boundaryModes;
    if (const GraphArgument *modes = convolution.argument(-1, "edges"); modes != nullptr)
        for (const std::int64_t number : modes->integers())
            boundaryModes.push_back(static_cast<BoundaryMode>(number));
    return boundaryModes;
}

} // namespace warpwright
