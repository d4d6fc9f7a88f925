// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/lower_view.h"

#include "agent/playbook/analysis/view_maps.h"

#include <algorithm>

namespace warpwright {
namespace {

/// The index in shape `from` of the element at `map` in shape `to`. Only the dimensions that change are
/// linearized: equal ones before and behind them stay.
AffineMap throughReshape(IndexSpace &indices, const AffineMap &map, const Shape &to, const Shape &from) {
    std::size_t before = 0;
    while (before < std::min(from.size(), to.size()) && from[before] == to[before])
        ++before;
    std::size_t behind = 0;
    while (before + behind < std::min(from.size(), to.size()) &&
           from[from.size() - 1 - behind] == to[to.size() - 1 - behind])
        ++behind;
    const auto middle = [&](const auto &values) {
        using Values = std::decay_t<decltype(values)>;
        return Values(values.begin() + static_cast<std::ptrdiff_t>(before),
                      values.end() - static_cast<std::ptrdiff_t>(behind));
    };
    const AffineExpr flat = linearize(middle(map), contiguousStrides(middle(to)), 0);
    AffineMap found(map.begin(), map.begin() + static_cast<std::ptrdiff_t>(before));
    const AffineMap digits = indices.digitsByDivision(flat, middle(from));
    found.insert(found.end(), digits.begin(), digits.end());
    found.insert(found.end(), map.end() - static_cast<std::ptrdiff_t>(behind), map.end());
    return found;
}

} // namespace

int lowerView(LoweringContext &context, const GraphNode &node, const AffineMap &map) {
    if (node.arguments.empty() || node.arguments[0].kind != GraphArgument::Kind::Node)
        return context.refuse(QStringLiteral("«%1» has no tensor to view").arg(node.op));
    const int looked = node.arguments[0].node;
    std::optional<LoopSplit> split;
    if (const auto source = throughView(context.graph(), node, map, context.indices().sizes(), split))
        return context.lower(looked, *source);
    if (context.stopToSplit(split))
        return -1;
    // The view's source is materialized; from memory any order can be read.
    const GraphNode &source = context.nodeAt(looked);
    if (!context.known().contains(looked) && !isView(source))
        return context.requireBuffer(looked);
    if (elementCount(source.shape) != elementCount(node.shape) || map.size() != node.shape.size())
        return context.refuse(
            QStringLiteral("«%1» reorders elements in a way that loops here cannot express").arg(node.op));
    return context.lower(looked, throughReshape(context.indices(), map, node.shape, source.shape));
}

} // namespace warpwright
