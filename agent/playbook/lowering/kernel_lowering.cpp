// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/kernel_lowering.h"

#include "agent/playbook/analysis/operator_traits.h"

#include <QHash>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 300; ///< nobody reads a longer one, and registers would not hold it

} // namespace

KernelLowering::KernelLowering(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops,
                               std::size_t outer)
    : m_graph(graph), m_known(known) {
    m_kernel.loops = std::move(loops);
    m_kernel.outer = outer;
    m_sizes = m_kernel.loops;
}

int KernelLowering::refuse(const QString &why) {
    if (m_cannot.isEmpty())
        m_cannot = why;
    return -1;
}

int KernelLowering::refuseUnknown(const GraphNode &node) {
    QStringList sizes;
    for (const std::int64_t size : node.shape)
        sizes << QString::number(size);
    return refuse(QStringLiteral("no family here takes «%1» yet (its result there is %2 of [%3])")
                      .arg(node.op, elementTypeName(node.type), sizes.join(QLatin1String(", "))));
}

int KernelLowering::lower(int node, const IndexMap &map) {
    if (m_split || m_cut >= 0 || m_found || m_flip >= 0 || !m_cannot.isEmpty())
        return -1;
    const auto key = std::tuple(node, map, m_guard);
    if (const auto done = m_done.find(key); done != m_done.end())
        return done->second;
    const std::size_t before = m_kernel.steps.size();
    if (before > mostSteps) {
        m_cut = longestPart();
        return m_cut >= 0
                   ? -1
                   : refuse(
                         QStringLiteral(
                             "one kernel of it would be more than %1 steps for each element, "
                             "an unrolled loop, and it has no part to be a kernel of its own; it was at «%2»")
                             .arg(mostSteps)
                             .arg(wordOf(m_graph.nodes[static_cast<std::size_t>(node)])));
    }
    const int step = lowerNew(node, map);
    if (step >= 0) {
        m_done.emplace(key, step);
        m_stepsOf[node] += m_kernel.steps.size() - before;
    }
    return step;
}

// Of a kernel that became too long: what is best computed by a kernel before it, which is what costs most
// steps here, at all places together, and is not much more than the kernel itself. -1: there is no such part.
int KernelLowering::longestPart() const {
    constexpr std::size_t leastSteps = 20;
    constexpr std::int64_t mostTimesLarger = 4;
    int longest = -1;
    std::size_t most = leastSteps;
    for (const auto &[node, steps] : m_stepsOf) {
        const GraphNode &what = m_graph.nodes[static_cast<std::size_t>(node)];
        const bool isLarger = elementCount(what.shape) / mostTimesLarger > elementCount(m_kernel.loops);
        if (what.kind != GraphNode::Kind::Operator || m_known.contains(node) || isView(what) || isLarger ||
            what.op == QLatin1String("getitem") || what.shape.empty())
            continue;
        if (steps > most) {
            most = steps;
            longest = node;
        }
    }
    return longest;
}

int KernelLowering::lowerNew(int place, const IndexMap &map) {
    const GraphNode &node = m_graph.nodes[static_cast<std::size_t>(place)];
    if (const auto known = m_known.find(place); known != m_known.end())
        return loadKnown(known->second, node, map);
    return lowerOperator(place, node, map);
}

int KernelLowering::loadKnown(const KnownBuffer &known, const GraphNode &node, const IndexMap &map) {
    const BufferLayout &layout = known.layout;
    IndexMap places;
    for (std::size_t d = 0, next = 0; d < node.shape.size(); ++d) {
        Shape parts = {layout.shape[next++]};
        while (elementCount(parts) < node.shape[d])
            parts.push_back(layout.shape[next++]);
        if (parts.size() == 1) {
            places.push_back(map[d]);
            continue;
        }
        const auto digits = digitsIn(map[d], parts);
        if (!digits)
            return -1;
        places.insert(places.end(), digits->begin(), digits->end());
    }
    return loadFrom(known.buffer, node, combined(places, layout.strides, layout.offset));
}

std::optional<IndexMap> KernelLowering::digitsIn(const AffineIndex &flat, const Shape &shape) {
    std::optional<LoopSplit> split;
    if (auto digits = digitsOf(flat, shape, m_sizes, split))
        return digits;
    // A loop can become two; what is counted by a step cannot.
    if (split && static_cast<std::size_t>(split->loop) < m_kernel.loops.size()) {
        m_split = split;
        return std::nullopt;
    }
    return digitsByDivision(flat, shape);
}

int KernelLowering::lowerOperator(int place, const GraphNode &node, const IndexMap &map) {
    if (node.op == QLatin1String("getitem"))
        return lowerItem(place, node, map);
    if (isView(node))
        return lowerView(node, map);
    if (const auto step = lowerFamily(place, node, 0, map))
        return *step;
    if (isKnownReduction(node)) {
        if (wordOf(node) == QLatin1String("var") || wordOf(node) == QLatin1String("mean"))
            return lowerMoment(place, node, wordOf(node) == QLatin1String("var"), map);
        return lowerReduction(place, node, wordOf(node), map);
    }
    const int step = lowerPointwise(place, node, map);
    return step < 0 ? step : withinType(node, step);
}

std::optional<int> KernelLowering::lowerFamily(int place, const GraphNode &node, int item,
                                               const IndexMap &map) {
    if (const auto step = lowerAnchor(place, node, map))
        return step;
    if (const auto step = lowerJoin(node, map))
        return step;
    if (const auto step = lowerLookUp(node, map))
        return step;
    if (const auto step = lowerBag(place, node, item, map))
        return step;
    if (const auto step = lowerWindow(place, node, item, map))
        return step;
    if (const auto step = lowerPlace(place, node, item, map))
        return step;
    return lowerScan(place, node, item, map);
}

int KernelLowering::lowerView(const GraphNode &node, const IndexMap &map) {
    if (node.arguments.empty() || node.arguments[0].kind != GraphArgument::Kind::Node)
        return refuse(QStringLiteral("«%1» has no tensor to look at").arg(node.op));
    const int looked = node.arguments[0].node;
    std::optional<LoopSplit> split;
    if (const auto source = throughView(m_graph, node, map, m_sizes, split))
        return lower(looked, *source);
    // A loop can become two; what is counted by a step cannot.
    if (split && static_cast<std::size_t>(split->loop) < m_kernel.loops.size()) {
        m_split = split;
        return -1;
    }
    // What the view looks at is computed first; from memory any order can be read.
    const GraphNode &source = m_graph.nodes[static_cast<std::size_t>(looked)];
    if (!m_known.contains(looked) && !isView(source)) {
        m_cut = looked;
        return -1;
    }
    const bool isReshape =
        elementCount(source.shape) == elementCount(node.shape) && map.size() == node.shape.size();
    if (!isReshape)
        return refuse(
            QStringLiteral("«%1» reorders elements in a way that no loop here follows").arg(node.op));
    // Only the dimensions that become others are one number: those around them are what they were.
    const Shape &from = source.shape;
    const Shape &to = node.shape;
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
    const AffineIndex flat = combined(middle(map), contiguousStrides(middle(to)), 0);
    IndexMap found(map.begin(), map.begin() + static_cast<std::ptrdiff_t>(before));
    const IndexMap digits = digitsByDivision(flat, middle(from));
    found.insert(found.end(), digits.begin(), digits.end());
    found.insert(found.end(), map.end() - static_cast<std::ptrdiff_t>(behind), map.end());
    return lower(looked, found);
}

int KernelLowering::lowerItem(int place, const GraphNode &node, const IndexMap &map) {
    const int item = node.arguments.size() > 1 ? static_cast<int>(node.arguments[1].number) : 0;
    const GraphNode &many = m_graph.nodes[static_cast<std::size_t>(node.arguments[0].node)];
    if (wordOf(many) == QLatin1String("var_mean"))
        return lowerMoment(place, many, item == 0, map);
    if (const auto step = lowerFamily(place, many, item, map))
        return *step;
    if (const QString op = wordOf(many); op == QLatin1String("max") || op == QLatin1String("min"))
        return lowerReduction(place, many, op, map);
    if (const auto source = throughSplit(m_graph, many, item, map, m_kernel.loops))
        return lower(many.arguments[0].node, *source);
    return refuse(QStringLiteral("no family here takes «%1» yet").arg(many.op));
}

} // namespace warpwright
