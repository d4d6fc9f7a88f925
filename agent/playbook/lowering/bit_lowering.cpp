// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's operators on bits. Of truths they are logic.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/whole_numbers.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int computedBits = 64; ///< in which whole numbers of any width are computed

KernelOp logicOf(KernelOp op) {
    return op == KernelOp::BitAnd ? KernelOp::And : op == KernelOp::BitOr ? KernelOp::Or : KernelOp::NotEqual;
}

} // namespace

int KernelLowering::lowerBits(const GraphNode &node, const IndexMap &map) {
    const ElementType type = computedType(node.type);
    const int first = operand(node, node.arguments[0], map, type);
    if (first < 0)
        return first;
    const auto number = [this](double value) {
        return m_kernel.number(value, ElementType::Int64);
    };
    if (wordOf(node) == QLatin1String("bitwise_not"))
        return type == ElementType::Bool
                   ? m_kernel.add(KernelOp::Not, type, {first})
                   : m_kernel.add(KernelOp::Subtract, type,
                                  {number(node.type == ElementType::UInt8 ? 255 : -1), first});
    if (node.arguments.size() < 2)
        return refuseUnknown(node);
    const int second = operand(node, node.arguments[1], map, type);
    if (second < 0)
        return second;
    const KernelOp op = bitwiseOp(wordOf(node)).value();
    if (op != KernelOp::ShiftLeft && op != KernelOp::ShiftRight)
        return m_kernel.add(type == ElementType::Bool ? logicOf(op) : op, type, {first, second});
    if (type != ElementType::Int64)
        return refuseUnknown(node);
    // torch's shifts by more than there is leave nothing but the sign; a processor's leave anything.
    const int bits = 8 * bytesOf(node.type);
    const KernelStep &by = m_kernel.step(second);
    const bool isSure = by.op == KernelOp::Number && by.number >= 0 && by.number < bits;
    const int isBeyond =
        isSure
            ? -1
            : m_kernel.add(KernelOp::Or, ElementType::Bool,
                           {m_kernel.add(KernelOp::Less, ElementType::Bool, {second, number(0)}),
                            m_kernel.add(KernelOp::LessOrEqual, ElementType::Bool, {number(bits), second})});
    const auto unless = [&](int step, double otherwise) {
        return isSure
                   ? step
                   : m_kernel.add(KernelOp::Select, ElementType::Int64, {isBeyond, number(otherwise), step});
    };
    if (op == KernelOp::ShiftRight)
        return m_kernel.add(op, type, {first, unless(second, bits - 1)});
    return unless(m_kernel.add(op, type, {first, unless(second, 0)}), 0);
}

// What the type of an operator's result holds of what was computed in 64 bits, as torch has it: the rest is
// gone.
int KernelLowering::withinType(const GraphNode &node, int step) {
    if (isFloating(node.type) || node.type == ElementType::Bool || node.type == ElementType::Int64)
        return step;
    const QString word = wordOf(node);
    const GraphArgument *first = node.argument(0);
    // What a float beyond the type becomes nobody says, torch neither.
    if ((word == QLatin1String("_to_copy") || word == QLatin1String("prims")) && first != nullptr &&
        first->kind == GraphArgument::Kind::Node &&
        isFloating(m_graph.nodes[static_cast<std::size_t>(first->node)].type))
        return step;
    if (wholeRangeOf(m_kernel, step).isWithin(wholeRangeOf(node.type)))
        return step;
    // Places and counts have 32 bits, and sums of them do not get there: but hashes do.
    const std::vector<int> &operands = m_kernel.step(step).operands;
    const bool isOfCutOff = std::any_of(operands.begin(), operands.end(),
                                        [this](int operand) { return m_cutOff.contains(operand); });
    static const QSet<QString> sums = {QStringLiteral("add"), QStringLiteral("sub"), QStringLiteral("rsub"),
                                       QStringLiteral("neg"), QStringLiteral("abs")};
    if (node.type == ElementType::Int32 && sums.contains(word) && !isOfCutOff)
        return step;
    const int cut = cutTo(node.type, step);
    m_cutOff.insert(cut);
    return cut;
}

int KernelLowering::cutTo(ElementType type, int step) {
    const auto number = [this](double value) {
        return m_kernel.number(value, ElementType::Int64);
    };
    if (type == ElementType::UInt8)
        return m_kernel.add(KernelOp::BitAnd, ElementType::Int64, {step, number(255)});
    const double all = std::exp2(8 * bytesOf(type));
    const KernelStep &known = m_kernel.step(step);
    if (known.op == KernelOp::Number && std::abs(known.number) < std::exp2(53))
        return number(known.number - all * std::floor(known.number / all + 0.5));
    const int beside = computedBits - 8 * bytesOf(type);
    return m_kernel.add(
        KernelOp::ShiftRight, ElementType::Int64,
        {m_kernel.add(KernelOp::ShiftLeft, ElementType::Int64, {step, number(beside)}), number(beside)});
}

} // namespace warpwright
