// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/slice_composition.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {
namespace {

constexpr std::size_t mostPieces = 256;

QString opNameOf(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0);
}

/// A box of a tensor that is a box of the source, at another offset.
struct Piece {
    Shape begin, end;
    Shape moved; ///< index in the source minus index here

    [[nodiscard]] std::int64_t size() const {
        std::int64_t count = 1;
        for (std::size_t d = 0; d < begin.size(); ++d)
            count *= end[d] - begin[d];
        return count;
    }
};
using Pieces = std::vector<Piece>;

/// The part of a piece between two indices of a dimension, if not empty.
std::optional<Piece> within(Piece piece, std::size_t dimension, std::int64_t from, std::int64_t to) {
    piece.begin[dimension] = std::max(piece.begin[dimension], from);
    piece.end[dimension] = std::min(piece.end[dimension], to);
    return piece.begin[dimension] < piece.end[dimension] ? std::optional(std::move(piece)) : std::nullopt;
}

Piece shifted(Piece piece, std::size_t dimension, std::int64_t by) {
    piece.begin[dimension] += by;
    piece.end[dimension] += by;
    piece.moved[dimension] -= by;
    return piece;
}

class PieceReader {
public:
    /// `source`: the tensor that all elements have to come from.
    PieceReader(const ReferenceGraph &graph, int source) : m_graph(graph), m_source(source) {}

    /// The pieces that come from the source; other elements are in none.
    const Pieces &of(int index) {
        if (const auto known = m_known.find(index); known != m_known.end())
            return known->second;
        Pieces pieces = made(index);
        if (pieces.size() > mostPieces)
            pieces.clear();
        return m_known[index] = std::move(pieces);
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }

    Pieces made(int index) {
        const GraphNode &node = at(index);
        if (index == m_source)
            return {{Shape(node.shape.size(), 0), node.shape, Shape(node.shape.size(), 0)}};
        if (node.kind != GraphNode::Kind::Operator || node.arguments.empty() || index < m_source)
            return {};
        const QString word = opNameOf(node);
        if (word == QLatin1String("cat"))
            return concatenated(node);
        if (node.arguments[0].kind != GraphArgument::Kind::Node)
            return {};
        const int from = node.arguments[0].node;
        const bool isCopy = word == QLatin1String("clone") || word == QLatin1String("alias") ||
                            word == QLatin1String("detach");
        if (isCopy && at(from).shape == node.shape)
            return of(from);
        if (word == QLatin1String("slice"))
            return sliced(node, from);
        return word == QLatin1String("slice_scatter") ? written(node, from) : Pieces();
    }

    Pieces concatenated(const GraphNode &node) {
        double number = node.arguments.size() > 1 ? node.arguments[1].number : 0;
        number += number < 0 ? static_cast<double>(node.shape.size()) : 0;
        const auto dimension = static_cast<std::size_t>(number);
        Pieces pieces;
        std::int64_t before = 0;
        for (const GraphArgument &part : node.arguments[0].items) {
            if (part.kind != GraphArgument::Kind::Node || at(part.node).shape.size() != node.shape.size())
                return {};
            for (const Piece &piece : of(part.node))
                pieces.push_back(shifted(piece, dimension, before));
            before += at(part.node).shape[dimension];
        }
        return pieces;
    }

    Pieces sliced(const GraphNode &node, int from) {
        const SlicedDimension slice = slicedDimension(node, at(from).shape, 1);
        const std::int64_t end = slice.start + node.shape[slice.dimension];
        Pieces pieces;
        if (slice.step == 1)
            for (const Piece &piece : of(from))
                if (auto part = within(piece, slice.dimension, slice.start, end))
                    pieces.push_back(shifted(std::move(*part), slice.dimension, -slice.start));
        return pieces;
    }

    Pieces written(const GraphNode &node, int below) {
        const int source = node.arguments[1].node;
        const SlicedDimension slice = slicedDimension(node, node.shape, 2);
        const std::int64_t end = slice.start + at(source).shape[slice.dimension];
        if (slice.step != 1)
            return {};
        Pieces pieces;
        for (const Piece &piece : of(below))
            for (const auto &[from, to] : {std::pair<std::int64_t, std::int64_t>(0, slice.start),
                                           std::pair(end, node.shape[slice.dimension])})
                if (auto part = within(piece, slice.dimension, from, to))
                    pieces.push_back(std::move(*part));
        for (const Piece &piece : of(source))
            pieces.push_back(shifted(piece, slice.dimension, slice.start));
        return pieces;
    }

    const ReferenceGraph &m_graph;
    int m_source;
    std::map<int, Pieces> m_known;
};

/// Empty: elements are missing, or the indices of one dimension depend on another.
std::optional<SliceComposition> composed(const Pieces &pieces, const Shape &shape, int source) {
    constexpr std::int64_t unknown = -1;
    SliceComposition whole{source, {}};
    for (const std::int64_t size : shape)
        whole.indices.emplace_back(static_cast<std::size_t>(size), unknown);
    std::int64_t covered = 0;
    for (const Piece &piece : pieces) {
        covered += piece.size();
        for (std::size_t d = 0; d < shape.size(); ++d)
            for (std::int64_t i = piece.begin[d]; i < piece.end[d]; ++i) {
                std::int64_t &index = whole.indices[d][static_cast<std::size_t>(i)];
                if (index != unknown && index != i + piece.moved[d])
                    return std::nullopt;
                index = i + piece.moved[d];
            }
    }
    return covered == elementCount(shape) ? std::optional(std::move(whole)) : std::nullopt;
}

} // namespace

std::optional<SliceComposition> sliceCompositionOf(const ReferenceGraph &graph, int node) {
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    // Its ancestors, the nearest first.
    std::set<int, std::greater<>> waiting = {node};
    std::size_t tried = 0;
    while (!waiting.empty() && ++tried < mostPieces) {
        const int source = *waiting.begin();
        waiting.erase(waiting.begin());
        const GraphNode &from = graph.nodes[static_cast<std::size_t>(source)];
        const QString word = opNameOf(from);
        // The rest of a partly written tensor may be uninitialized.
        const bool isLike = source != node && word != QLatin1String("slice_scatter") &&
                            from.type == what.type && from.shape.size() == what.shape.size();
        if (isLike)
            if (auto whole = composed(PieceReader(graph, source).of(node), what.shape, source))
                return whole;
        if (word == QLatin1String("cat") || word == QLatin1String("slice") ||
            word == QLatin1String("clone") || word == QLatin1String("alias") ||
            word == QLatin1String("detach") || word == QLatin1String("slice_scatter"))
            forEachTensor(from, [&waiting](const GraphArgument &argument) { waiting.insert(argument.node); });
    }
    return std::nullopt;
}

SlicedDimension slicedDimension(const GraphNode &node, const Shape &shape, int first) {
    const auto number = [&node](int at, const char *keyword, double otherwise) {
        const GraphArgument *some = node.argument(at, keyword);
        return some != nullptr && some->kind == GraphArgument::Kind::Number ? some->number : otherwise;
    };
    double dimension = number(first, "dim", 0);
    dimension += dimension < 0 ? static_cast<double>(shape.size()) : 0;
    const auto d = static_cast<std::size_t>(dimension);
    const auto size = static_cast<double>(shape[d]);
    double start = number(first + 1, "start", 0);
    start += start < 0 ? size : 0;
    return {d, static_cast<std::int64_t>(std::clamp(start, 0.0, size)),
            static_cast<std::int64_t>(number(first + 3, "step", 1))};
}

} // namespace warpwright
