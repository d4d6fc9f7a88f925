// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/bit_lowering.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/whole_numbers.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int computedBits = 64; ///< in which whole numbers of any width are computed

KernelOp logicOf(KernelOp op) {
    return op == KernelOp::BitAnd ? KernelOp::And : op == KernelOp::BitOr ? KernelOp::Or : KernelOp::NotEqual;
}

// What is left of a whole number in a narrower type.
int cutTo(FusedKernel &kernel, ElementType type, int step) {
    const auto number = [&](double value) {
        return kernel.number(value, ElementType::Int64);
    };
    if (type == ElementType::UInt8)
        return kernel.add(KernelOp::BitAnd, ElementType::Int64, {step, number(255)});
    const double all = std::exp2(8 * bytesOf(type));
    const KernelStep &known = kernel.step(step);
    if (known.op == KernelOp::Number && std::abs(known.number) < std::exp2(53))
        return number(known.number - all * std::floor(known.number / all + 0.5));
    const int beside = computedBits - 8 * bytesOf(type);
    return kernel.add(
        KernelOp::ShiftRight, ElementType::Int64,
        {kernel.add(KernelOp::ShiftLeft, ElementType::Int64, {step, number(beside)}), number(beside)});
}

} // namespace

int lowerBits(LoweringContext &context, const GraphNode &node, const IndexMap &map) {
    FusedKernel &kernel = context.kernel();
    const ElementType type = computedType(node.type);
    const int first = context.operand(node, node.arguments[0], map, type);
    if (first < 0)
        return first;
    const auto number = [&](double value) {
        return kernel.number(value, ElementType::Int64);
    };
    if (wordOf(node) == QLatin1String("bitwise_not"))
        return type == ElementType::Bool
                   ? kernel.add(KernelOp::Not, type, {first})
                   : kernel.add(KernelOp::Subtract, type,
                                {number(node.type == ElementType::UInt8 ? 255 : -1), first});
    if (node.arguments.size() < 2)
        return context.refuseUnknown(node);
    const int second = context.operand(node, node.arguments[1], map, type);
    if (second < 0)
        return second;
    const KernelOp op = bitwiseOp(wordOf(node)).value();
    if (op != KernelOp::ShiftLeft && op != KernelOp::ShiftRight)
        return kernel.add(type == ElementType::Bool ? logicOf(op) : op, type, {first, second});
    if (type != ElementType::Int64)
        return context.refuseUnknown(node);
    // torch's shifts by more than there is leave nothing but the sign; a processor's leave anything.
    const int bits = 8 * bytesOf(node.type);
    const KernelStep &by = kernel.step(second);
    const bool isSure = by.op == KernelOp::Number && by.number >= 0 && by.number < bits;
    const int isBeyond =
        isSure ? -1
               : kernel.add(KernelOp::Or, ElementType::Bool,
                            {kernel.add(KernelOp::Less, ElementType::Bool, {second, number(0)}),
                             kernel.add(KernelOp::LessOrEqual, ElementType::Bool, {number(bits), second})});
    const auto unless = [&](int step, double otherwise) {
        return isSure ? step
                      : kernel.add(KernelOp::Select, ElementType::Int64, {isBeyond, number(otherwise), step});
    };
    if (op == KernelOp::ShiftRight)
        return kernel.add(op, type, {first, unless(second, bits - 1)});
    return unless(kernel.add(op, type, {first, unless(second, 0)}), 0);
}

int withinType(LoweringContext &context, const GraphNode &node, int step) {
    FusedKernel &kernel = context.kernel();
    if (isFloating(node.type) || node.type == ElementType::Bool || node.type == ElementType::Int64)
        return step;
    const QString word = wordOf(node);
    const GraphArgument *first = node.argument(0);
    // What a float beyond the type becomes nobody says, torch neither.
    if ((word == QLatin1String("_to_copy") || word == QLatin1String("prims")) && first != nullptr &&
        first->kind == GraphArgument::Kind::Node && isFloating(context.nodeAt(first->node).type))
        return step;
    if (wholeRangeOf(kernel, step).isWithin(wholeRangeOf(node.type)))
        return step;
    // Places and counts have 32 bits, and sums of them do not get there: but hashes do.
    const std::vector<int> &operands = kernel.step(step).operands;
    const bool isOfCutOff =
        std::any_of(operands.begin(), operands.end(), [&](int operand) { return context.isCutOff(operand); });
    static const QSet<QString> sums = {QStringLiteral("add"), QStringLiteral("sub"), QStringLiteral("rsub"),
                                       QStringLiteral("neg"), QStringLiteral("abs")};
    if (node.type == ElementType::Int32 && sums.contains(word) && !isOfCutOff)
        return step;
    const int cut = cutTo(kernel, node.type, step);
    context.addCutOff(cut);
    return cut;
}

} // namespace warpwright
