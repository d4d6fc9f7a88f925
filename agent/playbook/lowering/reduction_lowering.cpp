// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's reductions: over the kernel's rows, or, where they are of few elements and do not fit into
// these, element by element.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t shortRow = 4;   ///< elements that are read by as many steps, instead of by a loop
constexpr std::int64_t mostTimes = 16; ///< that short rows within short rows say one step

} // namespace

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

bool KernelLowering::isShortRow(int place, int source, const IndexMap &result, const Shape &reduced) {
    const std::int64_t count = elementCount(reduced);
    if (m_cut != place || m_found || m_split || count > shortRow || count * m_times > mostTimes)
        return false;
    // Computed once for each result, it costs no more than in a kernel of its own.
    const std::size_t loops = m_kernel.loops.size();
    bool isOnce = m_guard < 0;
    for (std::size_t k = 0; k < loops; ++k)
        isOnce = isOnce && (m_kernel.loops[k] == 1 ||
                            std::any_of(result.begin(), result.end(), [k](const AffineIndex &index) {
                                return k < index.steps.size() && index.steps[k] != 0;
                            }));
    for (const AffineIndex &index : result)
        for (std::size_t k = loops; k < index.steps.size(); ++k)
            isOnce = isOnce && index.steps[k] == 0;
    if (!isOnce && isCostly(source))
        return false;
    m_cut = -1;
    return true;
}

int KernelLowering::overShortRow(const Shape &reduced, KernelOp reduction, ElementType type,
                                 const std::function<int(const IndexMap &digits)> &element) {
    const std::int64_t count = elementCount(reduced);
    const Shape strides = contiguousStrides(reduced);
    const std::int64_t before = m_times;
    m_times *= count;
    int all = -1;
    for (std::int64_t i = 0; i < count; ++i) {
        IndexMap digits;
        for (std::size_t d = 0; d < reduced.size(); ++d)
            digits.push_back(constantIndex(i / strides[d] % reduced[d], m_sizes.size()));
        const int one = element(digits);
        if (one < 0) {
            all = -1;
            break;
        }
        all = all < 0 ? one : m_kernel.add(pairOf(reduction, type == ElementType::Bool), type, {all, one});
    }
    m_times = before;
    return all;
}

std::optional<KernelLowering::ReducedRow> KernelLowering::reducedRow(int place, const GraphNode &node,
                                                                     const IndexMap &map) {
    ReducedRow row;
    row.source = node.arguments[0].node;
    const Shape &from = m_graph.nodes[static_cast<std::size_t>(row.source)].shape;
    row.dimensions = reducedDimensions(m_graph, node);
    const auto isReduced = [&row](std::size_t d) {
        return std::find(row.dimensions.begin(), row.dimensions.end(), d) != row.dimensions.end();
    };
    for (const std::size_t d : row.dimensions)
        row.reduced.push_back(from[d]);
    // Where the result is: dimensions that were reduced are 1 or gone.
    row.map.assign(from.size(), constantIndex(0, m_sizes.size()));
    const bool isKept = map.size() == from.size();
    for (std::size_t d = 0, next = 0; d < from.size(); ++d) {
        if (!isReduced(d))
            row.map[d] = map[isKept ? d : next++];
    }
    row.digits = rowDigits(place, row.map, row.reduced);
    if (!row.digits && !isShortRow(place, row.source, row.map, row.reduced))
        return std::nullopt;
    return row;
}

int KernelLowering::reduce(const ReducedRow &row, KernelOp op, ElementType type,
                           const std::function<int(int element)> &with) {
    const auto at = [&](const IndexMap &digits) {
        IndexMap where = row.map;
        for (std::size_t i = 0; i < row.dimensions.size(); ++i)
            where[row.dimensions[i]] = digits[i];
        const int element = lower(row.source, where);
        if (element < 0)
            return element;
        const int converted = m_kernel.converted(element, type);
        return with ? with(converted) : converted;
    };
    if (!row.digits)
        return overShortRow(row.reduced, op, type, at);
    const int element = at(*row.digits);
    if (element < 0 || elementCount(row.reduced) == 1)
        return element;
    return op == KernelOp::RowMaximum ? m_kernel.largest(type, element) : m_kernel.add(op, type, {element});
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
    const std::optional<ReducedRow> row = reducedRow(place, node, map);
    const int sum =
        row ? reduce(*row, reduction, isTruth ? ElementType::Bool : computedType(value.type)) : -1;
    if (sum < 0)
        return -1;
    if (!row->digits)
        return sum;
    // It may be the sum times what all its elements share, or several of them.
    std::vector<int> open{sum};
    while (!open.empty()) {
        const KernelStep &step = m_kernel.step(open.back());
        const int number = open.back();
        open.pop_back();
        if (isReduction(step.op))
            m_sums.emplace(number, place);
        else if (step.level < StepLevel::Column)
            open.insert(open.end(), step.operands.begin(), step.operands.end());
    }
    return sum;
}

// A mean, or a variance in two sums: of the elements, and of the squares of what they differ from their mean.
// One sum of squares would be faster and lose most of its digits where the mean is large.
int KernelLowering::lowerMoment(int place, const GraphNode &node, bool isVariance, const IndexMap &map) {
    const ElementType type = computedType(m_graph.nodes[static_cast<std::size_t>(place)].type);
    const std::optional<ReducedRow> row = reducedRow(place, node, map);
    const int sum = row ? reduce(*row, KernelOp::RowSum, type) : -1;
    if (sum < 0)
        return -1;
    const auto count = static_cast<double>(elementCount(row->reduced));
    const int mean = m_kernel.add(KernelOp::Divide, type, {sum, m_kernel.number(count, type)});
    if (!isVariance)
        return mean;
    const GraphArgument *correction = node.argument(-1, "correction");
    const double lost =
        correction != nullptr && correction->kind == GraphArgument::Kind::Number ? correction->number : 1;
    const int squares = reduce(*row, KernelOp::RowSum, type, [&](int element) {
        const int away = m_kernel.add(KernelOp::Subtract, type, {element, mean});
        return m_kernel.add(KernelOp::Multiply, type, {away, away});
    });
    return squares < 0 ? -1
                       : m_kernel.add(KernelOp::Divide, type, {squares, m_kernel.number(count - lost, type)});
}

} // namespace warpwright
