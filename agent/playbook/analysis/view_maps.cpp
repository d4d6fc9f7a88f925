// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/view_maps.h"

#include <QSet>

#include <algorithm>

namespace warpwright {
namespace {

QString opName(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0);
}

const Shape &shapeOfFirst(const ReferenceGraph &graph, const GraphNode &node) {
    return graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].shape;
}

double numberAt(const GraphNode &node, int index, double otherwise) {
    const GraphArgument *argument = node.argument(index);
    return argument != nullptr && argument->kind == GraphArgument::Kind::Number ? argument->number
                                                                                : otherwise;
}

// For shapes that differ only in dimensions of size 1; empty: they differ in others.
std::optional<AffineMap> throughOnes(const AffineMap &map, const Shape &from, const Shape &to,
                                     std::size_t loops) {
    AffineMap found;
    std::size_t next = 0;
    for (const std::int64_t size : from) {
        if (size == 1) {
            found.push_back(constantIndex(0, loops));
            continue;
        }
        while (next < to.size() && to[next] == 1)
            ++next;
        if (next == to.size() || to[next] != size)
            return std::nullopt;
        found.push_back(map[next++]);
    }
    while (next < to.size() && to[next] == 1)
        ++next;
    return next == to.size() ? std::optional(found) : std::nullopt;
}

// Whether strides are contiguous, ignoring dimensions of size 1: as_strided is then torch's reshape, which it
// uses also for a mean over NHWC images.
bool areContiguous(const Shape &shape, const Shape &strides) {
    const Shape plain = contiguousStrides(shape);
    if (strides.size() != shape.size())
        return false;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] > 1 && strides[d] != plain[d])
            return false;
    }
    return true;
}

} // namespace

bool isView(const GraphNode &node) {
    static const QSet<QString> words = {
        QStringLiteral("permute"),         QStringLiteral("view"),      QStringLiteral("_unsafe_view"),
        QStringLiteral("reshape"),         QStringLiteral("expand"),    QStringLiteral("unsqueeze"),
        QStringLiteral("squeeze"),         QStringLiteral("slice"),     QStringLiteral("select"),
        QStringLiteral("clone"),           QStringLiteral("alias"),     QStringLiteral("detach"),
        QStringLiteral("transpose"),       QStringLiteral("t"),         QStringLiteral("diagonal"),
        QStringLiteral("unfold"),          QStringLiteral("flip"),      QStringLiteral("repeat"),
        QStringLiteral("lift_fresh_copy"), QStringLiteral("contiguous")};
    const bool isReshape = opName(node) == QLatin1String("as_strided") && node.arguments.size() == 3 &&
                           areContiguous(node.arguments[1].integers(), node.arguments[2].integers());
    return isReshape || words.contains(opName(node));
}

std::size_t dimensionOf(double number, std::size_t dimensions) {
    const auto position = static_cast<std::int64_t>(number);
    const auto count = static_cast<std::int64_t>(dimensions);
    return static_cast<std::size_t>(std::clamp<std::int64_t>(position < 0 ? position + count : position, 0,
                                                             std::max<std::int64_t>(count - 1, 0)));
}

AffineMap broadcastMap(const AffineMap &map, const Shape &from, const Shape &to, std::size_t loops) {
    AffineMap found;
    const std::size_t missing = to.size() - from.size();
    for (std::size_t d = 0; d < from.size(); ++d)
        found.push_back(from[d] == 1 ? constantIndex(0, loops) : map[d + missing]);
    return found;
}

bool isReshape(const GraphNode &node) {
    const QString op = opName(node);
    return node.kind == GraphNode::Kind::Operator &&
           (op == QLatin1String("view") || op == QLatin1String("_unsafe_view") ||
            op == QLatin1String("reshape"));
}

namespace {

/// The index in `from` for one in `shape`, which has as many elements: by groups of dimensions with equal
/// element counts. Unchanged dimensions allow indices out of range, which are never read: a slice of a
/// concatenation.
std::optional<AffineMap> reshaped(const AffineMap &map, const Shape &shape, const Shape &from,
                                  const Shape &loops, std::optional<LoopSplit> &split) {
    AffineMap found;
    std::size_t i = shape.size();
    std::size_t j = from.size();
    while (i > 0 || j > 0) {
        const std::size_t end = i;
        const std::size_t endOfFrom = j;
        std::int64_t elements = 1;
        std::int64_t elementsOfFrom = 1;
        do {
            if (i > 0 && (elements <= elementsOfFrom || j == 0))
                elements *= shape[--i];
            else
                elementsOfFrom *= from[--j];
        } while (elements != elementsOfFrom && (i > 0 || j > 0));
        const auto part = [](const auto &all, std::size_t first, std::size_t last) {
            return std::decay_t<decltype(all)>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                               all.begin() + static_cast<std::ptrdiff_t>(last));
        };
        const Shape own = part(shape, i, end);
        AffineMap group = part(map, i, end);
        if (const Shape other = part(from, j, endOfFrom); own != other) {
            const AffineExpr flat =
                own.empty() ? constantIndex(0, loops.size()) : linearize(group, contiguousStrides(own), 0);
            const auto digits = delinearize(flat, other, loops, split);
            if (!digits)
                return std::nullopt;
            group = *digits;
        }
        found.insert(found.begin(), group.begin(), group.end());
    }
    return found;
}

} // namespace

std::optional<AffineMap> throughView(const ReferenceGraph &graph, const GraphNode &view, const AffineMap &map,
                                     const Shape &loops, std::optional<LoopSplit> &split) {
    const Shape &from = shapeOfFirst(graph, view);
    const QString op = opName(view);
    const std::size_t count = loops.size();
    if (op == QLatin1String("view") || op == QLatin1String("_unsafe_view") ||
        op == QLatin1String("reshape") || op == QLatin1String("squeeze") ||
        op == QLatin1String("unsqueeze") || op == QLatin1String("as_strided")) {
        if (auto same = throughOnes(map, from, view.shape, count))
            return same;
        return elementCount(from) == elementCount(view.shape) ? reshaped(map, view.shape, from, loops, split)
                                                              : std::nullopt;
    }
    if (op == QLatin1String("expand"))
        return broadcastMap(map, from, view.shape, count);
    if (op == QLatin1String("permute") || op == QLatin1String("transpose") || op == QLatin1String("t")) {
        std::vector<std::size_t> order;
        for (std::size_t d = 0; d < from.size(); ++d)
            order.push_back(d);
        if (op == QLatin1String("permute")) {
            const Shape asked = view.arguments[1].integers();
            for (std::size_t d = 0; d < from.size() && d < asked.size(); ++d)
                order[d] = dimensionOf(static_cast<double>(asked[d]), from.size());
        } else if (from.size() > 1) {
            std::swap(order[dimensionOf(numberAt(view, 1, 0), from.size())],
                      order[dimensionOf(numberAt(view, 2, 1), from.size())]);
        }
        AffineMap found(from.size(), constantIndex(0, count));
        for (std::size_t d = 0; d < from.size(); ++d)
            found[order[d]] = map[d];
        return found;
    }
    AffineMap found = map;
    if (op == QLatin1String("slice")) {
        const std::size_t d = dimensionOf(numberAt(view, 1, 0), from.size());
        double start = numberAt(view, 2, 0);
        start = start < 0 ? start + static_cast<double>(from[d]) : start;
        const auto step = static_cast<std::int64_t>(numberAt(view, 4, 1));
        found[d].offset = found[d].offset * step +
                          static_cast<std::int64_t>(std::clamp(start, 0.0, static_cast<double>(from[d])));
        for (std::int64_t &some : found[d].steps)
            some *= step;
    } else if (op == QLatin1String("select")) {
        const std::size_t d = dimensionOf(numberAt(view, 1, 0), from.size());
        auto position = static_cast<std::int64_t>(numberAt(view, 2, 0));
        position += position < 0 ? from[d] : 0;
        found.insert(found.begin() + static_cast<std::ptrdiff_t>(d), constantIndex(position, count));
    } else if (op == QLatin1String("diagonal")) {
        const auto offset = static_cast<std::int64_t>(numberAt(view, 1, 0));
        const std::size_t down = dimensionOf(numberAt(view, 2, 0), from.size());
        const std::size_t across = dimensionOf(numberAt(view, 3, 1), from.size());
        found.clear();
        for (std::size_t d = 0, next = 0; d < from.size(); ++d)
            found.push_back(d == down || d == across ? map.back() : map[next++]);
        found[down].offset += std::max<std::int64_t>(-offset, 0);
        found[across].offset += std::max<std::int64_t>(offset, 0);
    } else if (op == QLatin1String("unfold")) { // windows along a dimension; their elements come last
        const std::size_t d = dimensionOf(numberAt(view, 1, 0), from.size());
        const auto step = static_cast<std::int64_t>(numberAt(view, 3, 1));
        found.pop_back();
        found[d] = linearize({found[d], map.back()}, {step, 1}, 0);
    } else if (op == QLatin1String("flip")) {
        for (const std::int64_t asked : view.arguments[1].integers()) {
            AffineExpr &index = found[dimensionOf(static_cast<double>(asked), from.size())];
            index.offset = from[dimensionOf(static_cast<double>(asked), from.size())] - 1 - index.offset;
            for (std::int64_t &some : index.steps)
                some = -some;
        }
    } else if (op == QLatin1String("repeat")) {
        found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(found.size() - from.size()));
        for (std::size_t d = 0; d < from.size(); ++d) {
            const std::int64_t times = view.shape[d + view.shape.size() - from.size()] / from[d];
            const auto digits = delinearize(found[d], {times, from[d]}, loops, split);
            if (!digits)
                return std::nullopt;
            found[d] = (*digits)[1];
        }
    }
    return found;
}

std::optional<AffineMap> throughSplit(const ReferenceGraph &graph, const GraphNode &splitting, int item,
                                      const AffineMap &map, const Shape &loops) {
    const Shape &from = shapeOfFirst(graph, splitting);
    AffineMap found = map;
    if (opName(splitting) == QLatin1String("split_with_sizes")) {
        const Shape sizes = splitting.arguments[1].integers();
        const std::size_t d = dimensionOf(numberAt(splitting, 2, 0), from.size());
        for (int i = 0; i < item; ++i)
            found[d].offset += sizes[static_cast<std::size_t>(i)];
        return found;
    }
    if (opName(splitting) == QLatin1String("unbind")) {
        const std::size_t d = dimensionOf(numberAt(splitting, 1, 0), from.size());
        found.insert(found.begin() + static_cast<std::ptrdiff_t>(d), constantIndex(item, loops.size()));
        return found;
    }
    if (opName(splitting) == QLatin1String("split")) {
        const std::size_t d = dimensionOf(numberAt(splitting, 2, 0), from.size());
        found[d].offset += item * static_cast<std::int64_t>(numberAt(splitting, 1, 1));
        return found;
    }
    return std::nullopt;
}

} // namespace warpwright
