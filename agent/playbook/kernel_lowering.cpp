// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/kernel_lowering.h"

#include <QHash>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 300; ///< nobody reads a longer one, and registers would not hold it

} // namespace

QString wordOf(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0);
}

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
                   : refuse(QStringLiteral("one kernel of it would be more than %1 steps for each element, "
                                           "an unrolled loop, and it has no part to be a kernel of its own")
                                .arg(mostSteps));
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
    return lowerPointwise(place, node, map);
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
    return lower(looked, digitsByDivision(combined(map, contiguousStrides(node.shape), 0), source.shape));
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

bool isKnownReduction(const GraphNode &node) {
    static const QStringList words = {QStringLiteral("sum"),  QStringLiteral("mean"), QStringLiteral("amax"),
                                      QStringLiteral("amin"), QStringLiteral("prod"), QStringLiteral("any"),
                                      QStringLiteral("all"),  QStringLiteral("var")};
    return words.contains(wordOf(node)) || node.op == QLatin1String("max") || node.op == QLatin1String("min");
}

std::vector<std::size_t> reducedDimensions(const ReferenceGraph &graph, const GraphNode &node) {
    const Shape &from = graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].shape;
    std::vector<bool> isReduced(from.size(), false);
    const GraphArgument *asked = node.argument(1, "dim");
    Shape dimensions = asked == nullptr || asked->kind == GraphArgument::Kind::None ||
                               node.op == QLatin1String("sum") || node.op == QLatin1String("mean")
                           ? Shape()
                           : asked->integers();
    if (dimensions.empty())
        isReduced.assign(from.size(), true);
    for (const std::int64_t dimension : dimensions)
        if (!from.empty())
            isReduced[dimensionOf(static_cast<double>(dimension), from.size())] = true;
    std::vector<std::size_t> found;
    for (std::size_t d = 0; d < from.size(); ++d)
        if (isReduced[d])
            found.push_back(d);
    return found;
}

std::optional<IndexMap> KernelLowering::rowDigits(int place, const IndexMap &result, const Shape &reduced) {
    const std::size_t count = m_kernel.loops.size();
    // Under a condition, or where a step says, a row would be gone through for nothing: it is computed
    // before.
    const bool isCounted = std::any_of(result.begin(), result.end(), [count](const AffineIndex &index) {
        return std::any_of(index.steps.begin() +
                               static_cast<std::ptrdiff_t>(std::min(count, index.steps.size())),
                           index.steps.end(), [](std::int64_t step) { return step != 0; });
    });
    if (m_guard >= 0 || isCounted) {
        m_cut = place;
        return std::nullopt;
    }
    std::vector<bool> isUsed(count, false);
    for (const AffineIndex &index : result)
        for (std::size_t k = 0; k < std::min(count, index.steps.size()); ++k)
            isUsed[k] = isUsed[k] || index.steps[k] != 0;
    const std::size_t outer = m_kernel.outer;
    if (outer == count && elementCount(reduced) > 1) { // no rows yet: tell what they would be
        FoundReduction found{place, reduced, {}, true};
        for (std::size_t k = 0; k < count; ++k)
            if (!isUsed[k] && m_kernel.loops[k] > 1)
                found.repeated.push_back(static_cast<int>(k));
        m_found = found;
        return std::nullopt;
    }
    const bool isOfRow = std::none_of(isUsed.begin() + static_cast<std::ptrdiff_t>(outer), isUsed.end(),
                                      [](bool used) { return used; });
    bool isOnePerRow = true;
    for (std::size_t k = 0; k < outer; ++k)
        isOnePerRow = isOnePerRow && (isUsed[k] || m_kernel.loops[k] == 1);
    AffineIndex inner = constantIndex(0, count);
    std::int64_t span = 1;
    for (std::size_t k = count; k-- > outer;) {
        inner.steps[k] = span;
        span *= m_kernel.loops[k];
    }
    if (!isOfRow || !isOnePerRow || span != elementCount(reduced)) {
        m_cut = place;
        return std::nullopt;
    }
    std::optional<LoopSplit> split;
    auto digits = digitsOf(inner, reduced, m_kernel.loops, split);
    if (!digits) {
        m_split = split;
        if (!split)
            m_cut = place;
    }
    return digits;
}

// Lowers what is reduced for each element of the row, and gives the step of the reduction; `place` is the
// node whose value it is. `sourceMap`: filled with where the row's elements are.
int KernelLowering::reduce(int place, const GraphNode &node, const IndexMap &map, KernelOp op,
                           ElementType type, IndexMap *sourceMap) {
    const int source = node.arguments[0].node;
    const Shape &from = m_graph.nodes[static_cast<std::size_t>(source)].shape;
    const std::vector<std::size_t> dimensions = reducedDimensions(m_graph, node);
    const auto isReduced = [&dimensions](std::size_t d) {
        return std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end();
    };
    const std::size_t count = m_sizes.size();
    Shape reduced;
    for (const std::size_t d : dimensions)
        reduced.push_back(from[d]);
    // Where the result is: dimensions that were reduced are 1 or gone.
    IndexMap result(from.size(), constantIndex(0, count));
    const bool isKept = map.size() == from.size();
    for (std::size_t d = 0, next = 0; d < from.size(); ++d) {
        if (!isReduced(d))
            result[d] = map[isKept ? d : next++];
    }
    const auto digits = rowDigits(place, result, reduced);
    if (!digits)
        return -1;
    for (std::size_t i = 0; i < dimensions.size(); ++i)
        result[dimensions[i]] = (*digits)[i];
    *sourceMap = result;
    const int element = lower(source, result);
    if (element < 0)
        return -1;
    const int converted = m_kernel.converted(element, type);
    return elementCount(reduced) == 1 ? converted : m_kernel.add(op, type, {converted});
}

int KernelLowering::lowerReduction(int place, const GraphNode &node, const QString &op, const IndexMap &map) {
    const bool isTruth = op == QLatin1String("any") || op == QLatin1String("all");
    const KernelOp reduction =
        op == QLatin1String("sum")    ? KernelOp::RowSum
        : op == QLatin1String("prod") ? KernelOp::RowProduct
        : op == QLatin1String("amax") || op == QLatin1String("max") || op == QLatin1String("any")
            ? KernelOp::RowMaximum
            : KernelOp::RowMinimum;
    const GraphNode &value = m_graph.nodes[static_cast<std::size_t>(place)];
    IndexMap source;
    const int sum =
        reduce(place, node, map, reduction, isTruth ? ElementType::Bool : computedType(value.type), &source);
    if (sum < 0)
        return -1;
    if (isReduction(m_kernel.step(sum).op))
        m_sums.emplace(sum, place);
    for (const int operand :
         m_kernel.step(sum).operands) // it may be the sum times what all its elements share
        if (isReduction(m_kernel.step(operand).op))
            m_sums.emplace(operand, place);
    return sum;
}

// A mean, or a variance in two sums: of the elements, and of the squares of what they differ from their mean.
// One sum of squares would be faster and lose most of its digits where the mean is large.
int KernelLowering::lowerMoment(int place, const GraphNode &node, bool isVariance, const IndexMap &map) {
    const ElementType type = computedType(m_graph.nodes[static_cast<std::size_t>(place)].type);
    IndexMap source;
    const int sum = reduce(place, node, map, KernelOp::RowSum, type, &source);
    if (sum < 0)
        return -1;
    const Shape &from = m_graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].shape;
    double count = 1;
    for (const std::size_t d : reducedDimensions(m_graph, node))
        count *= static_cast<double>(from[d]);
    const int mean = m_kernel.add(KernelOp::Divide, type, {sum, m_kernel.number(count, type)});
    if (!isVariance)
        return mean;
    const GraphArgument *correction = node.argument(-1, "correction");
    const double lost =
        correction != nullptr && correction->kind == GraphArgument::Kind::Number ? correction->number : 1;
    const int element = m_kernel.converted(lower(node.arguments[0].node, source), type);
    const int away = m_kernel.add(KernelOp::Subtract, type, {element, mean});
    const int squares =
        m_kernel.add(KernelOp::RowSum, type, {m_kernel.add(KernelOp::Multiply, type, {away, away})});
    return m_kernel.add(KernelOp::Divide, type, {squares, m_kernel.number(count - lost, type)});
}

} // namespace warpwright
