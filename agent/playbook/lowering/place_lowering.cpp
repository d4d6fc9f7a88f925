// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's extremes and elements of a rank, and their places. A reduction of pairs would need an
// emitter of its own; two that are there give the same: the element, then the smallest place at which it
// stands.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>

namespace warpwright {

std::optional<int> KernelLowering::lowerPlace(int place, const GraphNode &node, int item,
                                              const IndexMap &map) {
    const QString op = wordOf(node);
    const bool isArgument = op == QLatin1String("argmax") || op == QLatin1String("argmin");
    const bool isSecond =
        (node.op == QLatin1String("max.dim") || node.op == QLatin1String("min.dim")) && item == 1;
    const bool isTopOne =
        op == QLatin1String("topk") && node.arguments.size() > 1 && node.arguments[1].number == 1;
    const bool isRank = op == QLatin1String("kthvalue");
    if (!isArgument && !isSecond && !isTopOne && !isRank)
        return std::nullopt;
    const int source = node.arguments[0].node;
    const GraphNode &from = m_graph.nodes[static_cast<std::size_t>(source)];
    const bool isRanked = isRank && isFloating(from.type) && from.type != ElementType::Float64;
    if (isRank && !isRanked)
        return std::nullopt;
    static const GraphArgument last{GraphArgument::Kind::Number, -1, -1, false, ElementType::Int64, {}, {}};
    const bool hasCount = isTopOne || isRanked;
    const GraphArgument *asked = node.argument(hasCount ? 2 : 1, "dim");
    if (hasCount && asked == nullptr)
        asked = &last;
    const bool isOfAll = asked == nullptr || asked->kind != GraphArgument::Kind::Number;
    const std::size_t d = isOfAll ? 0 : dimensionOf(asked->number, from.shape.size());
    const Shape reduced = isOfAll ? from.shape : Shape{from.shape[d]};
    if (from.shape.empty())
        return hasCount && item == 0 ? lower(source, map) : m_kernel.number(0, ElementType::Int64);
    IndexMap where(from.shape.size(), constantIndex(0, m_sizes.size()));
    const bool isKept = map.size() == from.shape.size();
    for (std::size_t i = 0, next = 0; i < from.shape.size() && !isOfAll; ++i)
        if (i != d)
            where[i] = map[isKept ? i : next++];
    const auto digits = rowDigits(place, where, reduced);
    if (!digits)
        return -1;
    for (std::size_t i = 0; i < digits->size(); ++i)
        where[isOfAll ? i : d] = (*digits)[i];
    const int element = lower(source, where);
    if (element < 0)
        return element;
    const ElementType type = m_kernel.step(element).type;
    const GraphArgument *largest = isTopOne ? node.argument(3, "largest") : nullptr;
    const bool isLargest = isTopOne ? largest == nullptr || largest->truth
                                    : op == QLatin1String("argmax") || node.op == QLatin1String("max.dim");
    const double fromLargest =
        isRanked ? static_cast<double>(from.shape[d]) + 1 - node.arguments[1].number : 0;
    const int found =
        isRanked ? m_kernel.add(KernelOp::RowRanked, type,
                                {element, m_kernel.number(fromLargest, ElementType::Int64)})
                 : m_kernel.add(isLargest ? KernelOp::RowMaximum : KernelOp::RowMinimum, type, {element});
    if (hasCount && item == 0)
        return found;
    int isHere = m_kernel.add(KernelOp::Equal, ElementType::Bool, {element, found});
    if (isFloating(type)) { // the first NaN is the extreme of all, and equal to nothing
        const auto isNone = [this](int step) {
            return m_kernel.add(KernelOp::NotEqual, ElementType::Bool, {step, step});
        };
        const int isAlso =
            isRanked ? m_kernel.add(KernelOp::And, ElementType::Bool, {isNone(element), isNone(found)})
                     : isNone(element);
        isHere = m_kernel.add(KernelOp::Or, ElementType::Bool, {isHere, isAlso});
    }
    const int number = valueOf(combined(*digits, contiguousStrides(reduced), 0));
    const int nowhere = m_kernel.number(static_cast<double>(elementCount(reduced)), ElementType::Int64);
    return m_kernel.add(KernelOp::RowMinimum, ElementType::Int64,
                        {m_kernel.add(KernelOp::Select, ElementType::Int64, {isHere, number, nowhere})});
}

} // namespace warpwright
