// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/kernel_lowering.h"

#include "agent/playbook/convolution_plan.h"

#include <QHash>

#include <algorithm>

namespace warpwright {
namespace {

QString word(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0);
}

} // namespace

KernelLowering::KernelLowering(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops,
                               std::size_t outer)
    : m_graph(graph), m_known(known) {
    m_kernel.loops = std::move(loops);
    m_kernel.outer = outer;
}

int KernelLowering::refuse(const QString &why) {
    if (m_cannot.isEmpty())
        m_cannot = why;
    return -1;
}

int KernelLowering::lower(int node, const IndexMap &map) {
    if (m_split || m_cut >= 0 || m_found || !m_cannot.isEmpty())
        return -1;
    const auto key = std::pair(node, map);
    if (const auto done = m_done.find(key); done != m_done.end())
        return done->second;
    const int step = lowerNew(node, map);
    if (step >= 0)
        m_done.emplace(key, step);
    return step;
}

int KernelLowering::lowerNew(int place, const IndexMap &map) {
    const GraphNode &node = m_graph.nodes[static_cast<std::size_t>(place)];
    if (const auto known = m_known.find(place); known != m_known.end()) {
        const bool isLeaf = node.kind != GraphNode::Kind::Operator;
        const AffineIndex address =
            combined(map, isLeaf ? node.strides : contiguousStrides(node.shape), isLeaf ? node.offset : 0);
        AffineIndex full = address;
        full.steps.resize(m_kernel.loops.size(), 0);
        return m_kernel.load({known->second, node.type, full});
    }
    return lowerOperator(place, node, map);
}

int KernelLowering::lowerOperator(int place, const GraphNode &node, const IndexMap &map) {
    if (node.op == QLatin1String("getitem"))
        return lowerItem(place, node, map);
    if (isView(node)) {
        if (node.arguments.empty() || node.arguments[0].kind != GraphArgument::Kind::Node)
            return refuse(QStringLiteral("«%1» has no tensor to look at").arg(node.op));
        std::optional<LoopSplit> split;
        const auto source = throughView(m_graph, node, map, m_kernel.loops, split);
        if (source)
            return lower(node.arguments[0].node, *source);
        if (split) {
            m_split = split;
            return -1;
        }
        // What the view looks at is computed first; from memory any order can be read, if the view can be
        // followed at all.
        m_cut = node.arguments[0].node;
        if (m_known.contains(m_cut) || isView(m_graph.nodes[static_cast<std::size_t>(m_cut)])) {
            m_cut = -1;
            return refuse(
                QStringLiteral("«%1» reorders elements in a way that no loop here follows").arg(node.op));
        }
        return -1;
    }
    if (isConvolution(node))
        return lowerConvolution(place, node, map);
    if (isMatrixProduct(m_graph, node)) { // by a library, before this kernel
        m_cut = place;
        return -1;
    }
    if (isProduct(node))
        return lowerProduct(place, node, map);
    if (isKnownReduction(node)) {
        if (word(node) == QLatin1String("var") || word(node) == QLatin1String("mean"))
            return lowerMoment(place, node, word(node) == QLatin1String("var"), map);
        return lowerReduction(place, node, word(node), map);
    }
    return lowerPointwise(place, node, map);
}

int KernelLowering::lowerItem(int place, const GraphNode &node, const IndexMap &map) {
    const int item = node.arguments.size() > 1 ? static_cast<int>(node.arguments[1].number) : 0;
    const GraphNode &many = m_graph.nodes[static_cast<std::size_t>(node.arguments[0].node)];
    if (word(many) == QLatin1String("var_mean"))
        return lowerMoment(place, many, item == 0, map);
    if (const QString op = word(many); op == QLatin1String("max") || op == QLatin1String("min")) {
        if (item != 0)
            return refuse(
                QStringLiteral("no family here finds the place of an extreme («%1») yet").arg(many.op));
        return lowerReduction(place, many, op, map);
    }
    if (const auto source = throughSplit(m_graph, many, item, map, m_kernel.loops))
        return lower(many.arguments[0].node, *source);
    return refuse(QStringLiteral("no family here takes «%1» yet").arg(many.op));
}

bool isKnownReduction(const GraphNode &node) {
    static const QStringList words = {QStringLiteral("sum"),  QStringLiteral("mean"), QStringLiteral("amax"),
                                      QStringLiteral("amin"), QStringLiteral("prod"), QStringLiteral("any"),
                                      QStringLiteral("all"),  QStringLiteral("var")};
    return words.contains(word(node)) || node.op == QLatin1String("max") || node.op == QLatin1String("min");
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
    Shape reduced;
    for (const std::size_t d : dimensions)
        reduced.push_back(from[d]);
    // Where the result is: dimensions that were reduced are 1 or gone.
    IndexMap result(from.size(), constantIndex(0, m_kernel.loops.size()));
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
    return m_kernel.add(op, type, {m_kernel.converted(element, type)});
}

// Where a row's elements are in what is reduced, if the loops have just the rows for the value of `place`,
// which is there where `result` says.
std::optional<IndexMap> KernelLowering::rowDigits(int place, const IndexMap &result, const Shape &reduced) {
    const std::size_t count = m_kernel.loops.size();
    std::vector<bool> isUsed(count, false);
    for (const AffineIndex &index : result)
        for (std::size_t k = 0; k < index.steps.size(); ++k)
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
    const auto digits = digitsOf(inner, reduced, m_kernel.loops, split);
    if (!digits) {
        m_split = split;
        if (!split)
            m_cut = place;
    }
    return digits;
}

// A library has made it, before this kernel, but for its bias.
int KernelLowering::lowerConvolution(int place, const GraphNode &node, const IndexMap &map) {
    const auto bare = m_known.find(withoutBias(place));
    if (bare == m_known.end()) {
        m_cut = place;
        return -1;
    }
    AffineIndex address = combined(map, contiguousStrides(node.shape), 0);
    address.steps.resize(m_kernel.loops.size(), 0);
    const int sum = m_kernel.load({bare->second, node.type, address});
    const int bias = lower(node.arguments[2].node, {map[1]});
    const ElementType type = computedType(node.type);
    return bias < 0 ? bias : m_kernel.add(KernelOp::Add, type, {sum, m_kernel.converted(bias, type)});
}

// A product with one row or one column: sums over rows of the matrix times the vector, at the memory's speed.
int KernelLowering::lowerProduct(int place, const GraphNode &node, const IndexMap &map) {
    const int operands[2] = {node.arguments[0].node, node.arguments[1].node};
    const Shape &first = m_graph.nodes[static_cast<std::size_t>(operands[0])].shape;
    const std::int64_t inner = first.back();
    const bool isRow = first[first.size() - 2] == 1;
    // Of the vector each row needs every element: it is computed once, before.
    const int vector = belowViews(m_graph, operands[isRow ? 0 : 1]);
    if (inner > 1 && !m_known.contains(vector)) {
        m_cut = vector;
        return -1;
    }
    AffineIndex along = constantIndex(0, m_kernel.loops.size());
    if (inner > 1) {
        const auto digits = rowDigits(place, map, {inner});
        if (!digits)
            return -1;
        along = (*digits)[0];
    }
    const ElementType type = computedType(node.type);
    std::vector<int> steps;
    for (const int which : {0, 1}) {
        IndexMap source(map.begin(), map.end() - 2);
        source.push_back(which == 0 ? map[map.size() - 2] : along);
        source.push_back(which == 0 ? along : map[map.size() - 1]);
        const int step = lower(operands[which], source);
        if (step < 0)
            return -1;
        steps.push_back(m_kernel.converted(step, type));
    }
    const int product = m_kernel.add(KernelOp::Multiply, type, steps);
    return inner > 1 ? m_kernel.add(KernelOp::RowSum, type, {product}) : product;
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
    return reduce(place, node, map, reduction, isTruth ? ElementType::Bool : computedType(value.type),
                  &source);
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
