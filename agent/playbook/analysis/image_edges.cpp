// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/image_edges.h"

#include "agent/playbook/analysis/image_pieces.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t mostPlaces = 1 << 16; ///< along a dimension: more are not gone through
constexpr std::int64_t nothing = -1;         ///< a place of zero

using Places = std::vector<std::int64_t>; ///< which element of an image each one is, or nothing

QString wordOf(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0);
}

Places inOrder(std::int64_t count) {
    Places places(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = static_cast<std::int64_t>(i);
    return places;
}

/// Whole numbers in a row that no input decides, such as a range and what a mirror makes of it.
class WholeNumbers {
public:
    explicit WholeNumbers(const ReferenceGraph &graph) : m_graph(graph) {}

    /// Empty: they are not known, or not in one row.
    [[nodiscard]] std::optional<Places> of(int place) const {
        const GraphNode &node = m_graph.nodes[static_cast<std::size_t>(place)];
        const bool isRow = node.kind == GraphNode::Kind::Operator && node.type == ElementType::Int64 &&
                           node.shape.size() == 1 && node.shape[0] <= mostPlaces;
        if (!isRow || node.arguments.empty())
            return std::nullopt;
        const QString word = wordOf(node);
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
    static std::optional<Places> range(const GraphNode &node) {
        const bool isWhole = node.op == QLatin1String("arange.start_step");
        const auto number = [&node](std::size_t at, double otherwise) {
            return static_cast<std::int64_t>(at < node.arguments.size() ? node.arguments[at].number
                                                                        : otherwise);
        };
        Places places = inOrder(node.shape[0]);
        for (std::int64_t &place : places)
            place = (isWhole ? number(0, 0) : 0) + place * (isWhole ? number(2, 1) : 1);
        return isWhole || node.op == QLatin1String("arange") ? std::optional(places) : std::nullopt;
    }

    [[nodiscard]] std::optional<Places> operand(const GraphArgument &argument, std::int64_t count) const {
        if (argument.kind == GraphArgument::Kind::Number)
            return Places(static_cast<std::size_t>(count), static_cast<std::int64_t>(argument.number));
        if (argument.kind != GraphArgument::Kind::Node)
            return std::nullopt;
        auto some = of(argument.node);
        return some && static_cast<std::int64_t>(some->size()) == count ? some : std::nullopt;
    }

    [[nodiscard]] std::optional<Places> clamped(const GraphNode &node, const QString &word) const {
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

    [[nodiscard]] std::optional<Places> ofTwo(const GraphNode &node, const QString &word) const {
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

/// A node as elements of one that it is made of, dimension by dimension.
struct Looked {
    int node = -1;
    std::vector<Places> places;
};

/// Whether each value of `type` is one of `wider`, so that there and back changes nothing.
bool isIn(ElementType type, ElementType wider) {
    return type == wider || (wider == ElementType::Float64 && isFloating(type)) ||
           (wider == ElementType::Float32 && (type == ElementType::Float16 || type == ElementType::BFloat16));
}

class EdgeReader {
public:
    explicit EdgeReader(const ReferenceGraph &graph) : m_graph(graph), m_numbers(graph) {}

    [[nodiscard]] std::optional<PaddedImage> imageOf(int node) const {
        const ElementType type = at(node).type;
        const Shape &shape = at(node).shape;
        std::optional<PaddedImage> best;
        if (std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size > mostPlaces; }))
            return best;
        for (const Looked &looked : chainOf(node)) {
            if (!isIn(type, at(looked.node).type))
                break; // rounded on the way
            if (at(looked.node).type != type)
                continue;
            const auto found = imageAt(looked);
            const bool goesOn = found && std::any_of(found->edges.begin(), found->edges.end(),
                                                     [](Edge edge) { return edge != Edge::Zeros; });
            if (goesOn)
                best = found;
        }
        return best;
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }

    /// The node itself, what it is read from, what that is read from...
    [[nodiscard]] std::vector<Looked> chainOf(int node) const {
        Looked last{node, {}};
        for (const std::int64_t size : at(node).shape)
            last.places.push_back(inOrder(size));
        std::vector<Looked> chain{last};
        while (std::optional<Looked> next = below(chain.back()))
            chain.push_back(std::move(*next));
        return chain;
    }

    [[nodiscard]] std::optional<Looked> below(const Looked &looked) const {
        const GraphNode &node = at(looked.node);
        const bool hasTensor = node.kind == GraphNode::Kind::Operator && !node.arguments.empty();
        if (!hasTensor)
            return std::nullopt;
        const QString word = wordOf(node);
        if (word == QLatin1String("cat") || word == QLatin1String("slice_scatter"))
            return belowPieces(looked);
        if (node.arguments[0].kind != GraphArgument::Kind::Node)
            return std::nullopt;
        Looked next{node.arguments[0].node, looked.places};
        const Shape &from = at(next.node).shape;
        const bool isCopy = word == QLatin1String("clone") || word == QLatin1String("alias") ||
                            word == QLatin1String("detach") || word == QLatin1String("_to_copy") ||
                            node.op == QLatin1String("prims.convert_element_type");
        if (isCopy && from == node.shape && isFloating(at(next.node).type))
            return next;
        if (from.size() != node.shape.size())
            return std::nullopt;
        std::optional<std::pair<std::size_t, Places>> along;
        if (word == QLatin1String("index") || word == QLatin1String("index_select"))
            along = lookedUp(node, from);
        else if (word == QLatin1String("slice"))
            along = sliced(node, from);
        else if (word == QLatin1String("constant_pad_nd"))
            return belowZeros(looked);
        if (!along)
            return std::nullopt;
        for (std::int64_t &place : next.places[along->first])
            place = place == nothing ? nothing : along->second[static_cast<std::size_t>(place)];
        return next;
    }

    /// The one dimension whose places are given, and these.
    [[nodiscard]] std::optional<std::pair<std::size_t, Places>> lookedUp(const GraphNode &node,
                                                                         const Shape &from) const {
        std::size_t dimension = 0;
        int places = -1;
        if (wordOf(node) == QLatin1String("index_select")) {
            const double number = node.arguments[1].number;
            dimension =
                static_cast<std::size_t>(number < 0 ? number + static_cast<double>(from.size()) : number);
            places = node.arguments[2].node;
        } else {
            const std::vector<GraphArgument> &items = node.arguments[1].items;
            for (std::size_t d = 0; d < items.size(); ++d) {
                if (items[d].kind != GraphArgument::Kind::Node)
                    continue;
                if (places >= 0)
                    return std::nullopt;
                places = items[d].node;
                dimension = d;
            }
        }
        if (places < 0)
            return std::nullopt;
        auto numbers = m_numbers.of(places);
        if (!numbers)
            return std::nullopt;
        for (std::int64_t &number : *numbers) {
            number += number < 0 ? from[dimension] : 0;
            if (number < 0 || number >= from[dimension])
                return std::nullopt;
        }
        return std::pair(dimension, std::move(*numbers));
    }

    [[nodiscard]] static std::pair<std::size_t, Places> sliced(const GraphNode &node, const Shape &from) {
        const SlicedDimension slice = slicedDimension(node, from, 1);
        Places places = inOrder(node.shape[slice.dimension]);
        for (std::int64_t &place : places)
            place = slice.start + place * slice.step;
        return {slice.dimension, std::move(places)};
    }

    [[nodiscard]] std::optional<Looked> belowZeros(const Looked &looked) const {
        const GraphNode &node = at(looked.node);
        const GraphArgument *filled = node.argument(2, "value");
        if (filled != nullptr && filled->number != 0)
            return std::nullopt;
        Looked next{node.arguments[0].node, looked.places};
        const Shape &from = at(next.node).shape;
        const Shape margins = node.arguments[1].integers(); // before and behind, from the last dimension on
        for (std::size_t i = 0; 2 * i + 1 < margins.size(); ++i) {
            const std::size_t d = from.size() - 1 - i;
            for (std::int64_t &place : next.places[d])
                if (place != nothing) {
                    place -= margins[2 * i];
                    place = place < 0 || place >= from[d] ? nothing : place;
                }
        }
        return next;
    }

    /// What is joined or written piece by piece, of one tensor's elements: the nearest such tensor.
    [[nodiscard]] std::optional<Looked> belowPieces(const Looked &looked) const {
        auto whole = wholeOfPieces(m_graph, looked.node);
        if (!whole)
            return std::nullopt;
        for (std::size_t d = 0; d < looked.places.size(); ++d) {
            Places places = looked.places[d];
            for (std::int64_t &place : places)
                place = place == nothing ? nothing : whole->places[d][static_cast<std::size_t>(place)];
            whole->places[d] = std::move(places);
        }
        return Looked{whole->node, std::move(whole->places)};
    }

    [[nodiscard]] std::optional<PaddedImage> imageAt(const Looked &looked) const {
        const Shape &shape = at(looked.node).shape;
        if (shape.size() != looked.places.size() || shape.size() < 3 || shape.size() > 5)
            return std::nullopt;
        PaddedImage found{looked.node, {}, {}};
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const auto side = sideOf(looked.places[d], shape[d]);
            const bool isWhole = side && side->second == Edge::Zeros && side->first == 0 &&
                                 looked.places[d].size() == static_cast<std::size_t>(shape[d]);
            if (!side || (d < 2 && !isWhole))
                return std::nullopt;
            if (d < 2)
                continue;
            found.before.push_back(side->first);
            found.edges.push_back(side->second);
        }
        return found;
    }

    /// How many elements are before the first of `size`, and what they and those behind are.
    static std::optional<std::pair<std::int64_t, Edge>> sideOf(const Places &places, std::int64_t size) {
        const auto count = static_cast<std::int64_t>(places.size());
        for (std::int64_t before = 0; before + size <= count; ++before) {
            const auto first = places.begin() + before;
            bool isInside = true;
            for (std::int64_t i = 0; i < size && isInside; ++i)
                isInside = first[i] == i;
            if (!isInside)
                continue;
            for (const Edge edge : {Edge::Zeros, Edge::Repeated, Edge::Mirrored, Edge::Around}) {
                bool isSo = true;
                for (std::int64_t i = 0; i < count && isSo; ++i)
                    isSo = places[static_cast<std::size_t>(i)] == placeAt(i - before, size, edge);
                if (isSo)
                    return std::pair(before, edge);
            }
        }
        return std::nullopt;
    }

    /// The element that stands for this place, as the kernels have it: mirrored once, around once.
    static std::int64_t placeAt(std::int64_t place, std::int64_t size, Edge edge) {
        const bool isInside = place >= 0 && place < size;
        std::int64_t other = nothing;
        if (edge == Edge::Repeated)
            other = place < 0 ? 0 : size - 1;
        if (edge == Edge::Mirrored)
            other = place < 0 ? -place : 2 * (size - 1) - place;
        if (edge == Edge::Around)
            other = place < 0 ? place + size : place - size;
        return isInside ? place : other >= 0 && other < size ? other : nothing;
    }

    const ReferenceGraph &m_graph;
    WholeNumbers m_numbers;
};

} // namespace

std::optional<PaddedImage> paddedImageOf(const ReferenceGraph &graph, int node) {
    return EdgeReader(graph).imageOf(node);
}

std::pair<QString, GraphArgument> edgesArgument(const std::vector<Edge> &edges) {
    Shape numbers;
    for (const Edge edge : edges)
        numbers.push_back(static_cast<std::int64_t>(edge));
    return {QStringLiteral("edges"), listArgument(numbers)};
}

std::vector<Edge> edgesOf(const GraphNode &convolution) {
    std::vector<Edge> edges;
    if (const GraphArgument *said = convolution.argument(-1, "edges"); said != nullptr)
        for (const std::int64_t number : said->integers())
            edges.push_back(static_cast<Edge>(number));
    return edges;
}

} // namespace warpwright
