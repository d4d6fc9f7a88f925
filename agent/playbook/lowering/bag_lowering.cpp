// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's bags: sums, means and extremes of looked-up rows of a table. A bag of a fixed length is a
// row of our loops. Where its bounds lie in memory, no loop here could count it.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <limits>

namespace warpwright {
namespace {

enum class BagMode { Sum, Mean, Maximum }; // torch's numbers

/// How far bags lie apart whose starts are 0, n, 2n and so on; 0: nobody knows before they are read.
std::int64_t stepOfStarts(const GraphNode &starts) {
    if (wordOf(starts) != QLatin1String("arange"))
        return 0;
    const auto number = [&starts](int index) {
        const GraphArgument *argument = starts.argument(index);
        const bool isThere = argument != nullptr && argument->kind == GraphArgument::Kind::Number;
        return isThere ? std::optional(static_cast<std::int64_t>(argument->number)) : std::nullopt;
    };
    const bool hasStart = starts.op.section(QLatin1Char('.'), 1).startsWith(QLatin1String("start"));
    return hasStart && number(0) != 0 ? 0 : number(2).value_or(1);
}

} // namespace

std::optional<int> KernelLowering::lowerBag(int place, const GraphNode &node, int item, const IndexMap &map) {
    if (wordOf(node) != QLatin1String("_embedding_bag") || item != 0)
        return std::nullopt;
    const auto given = [&node](int index) {
        const GraphArgument *argument = node.argument(index);
        return argument != nullptr && argument->kind != GraphArgument::Kind::None ? argument : nullptr;
    };
    const int table = node.arguments[0].node;
    const int places = node.arguments[1].node;
    const Shape &from = m_graph.nodes[static_cast<std::size_t>(table)].shape;
    const GraphNode &value = m_graph.nodes[static_cast<std::size_t>(place)];
    const Shape &all = m_graph.nodes[static_cast<std::size_t>(places)].shape;
    const std::int64_t length = stepOfStarts(m_graph.nodes[static_cast<std::size_t>(node.arguments[2].node)]);
    if (length < 1 || length * value.shape[0] != elementCount(all))
        return refuse(
            QStringLiteral("«%1» has bags whose bounds lie in memory, and the loops here have fixed ends")
                .arg(node.op));
    const auto mode = static_cast<BagMode>(given(4) == nullptr ? 0 : static_cast<int>(given(4)->number));
    const auto padding = given(8) == nullptr ? -1 : static_cast<std::int64_t>(given(8)->number);
    const ElementType type = computedType(value.type);
    const auto digits = rowDigits(place, map, {length});
    if (!digits)
        return -1;
    AffineIndex one = (*digits)[0];
    one.offset += map[0].offset * length;
    one.steps.resize(std::max(one.steps.size(), map[0].steps.size()), 0);
    for (std::size_t k = 0; k < map[0].steps.size(); ++k)
        one.steps[k] += map[0].steps[k] * length;
    int row = lower(places, {one});
    if (row < 0)
        return row;
    row = m_kernel.converted(row, ElementType::Int64);
    // Places that stand for nothing: they count for nothing.
    int isThere = -1;
    if (padding >= 0)
        isThere = m_kernel.add(KernelOp::NotEqual, ElementType::Bool,
                               {row, m_kernel.number(static_cast<double>(padding), ElementType::Int64)});
    int element = lower(table, {countedBy(row, from[0]), map[1]});
    if (element < 0)
        return element;
    element = m_kernel.converted(element, type);
    if (const GraphArgument *weights = given(6)) {
        const int weight = lower(weights->node, {one});
        if (weight < 0)
            return weight;
        element = m_kernel.add(KernelOp::Multiply, type, {element, m_kernel.converted(weight, type)});
    }
    const auto chosen = [this, type](int condition, int some, double otherwise) {
        return m_kernel.add(KernelOp::Select, type, {condition, some, m_kernel.number(otherwise, type)});
    };
    const bool isMaximum = mode == BagMode::Maximum;
    if (isThere >= 0)
        element = chosen(isThere, element, isMaximum ? -std::numeric_limits<double>::infinity() : 0);
    const int result = m_kernel.add(isMaximum ? KernelOp::RowMaximum : KernelOp::RowSum, type, {element});
    if (mode == BagMode::Sum)
        return result;
    if (isThere < 0)
        return isMaximum ? result
                         : m_kernel.add(KernelOp::Divide, type,
                                        {result, m_kernel.number(static_cast<double>(length), type)});
    // A bag in which nothing is there is zero.
    const int count = m_kernel.add(KernelOp::RowSum, type, {chosen(isThere, m_kernel.number(1, type), 0)});
    if (isMaximum)
        return chosen(m_kernel.add(KernelOp::Less, ElementType::Bool, {m_kernel.number(0, type), count}),
                      result, 0);
    return m_kernel.add(KernelOp::Divide, type,
                        {result, m_kernel.add(KernelOp::Maximum, type, {count, m_kernel.number(1, type)})});
}

} // namespace warpwright
