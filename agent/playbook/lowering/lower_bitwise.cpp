// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/lower_bitwise.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/analysis/operator_traits.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int computedBits = 64; ///< in which integers of any width are computed

Opcode logicOf(Opcode op) {
    return op == Opcode::BitAnd ? Opcode::And : op == Opcode::BitOr ? Opcode::Or : Opcode::NotEqual;
}

// Wraps an integer to a narrower type.
int wrapTo(Kernel &kernel, ElementType type, int step) {
    const auto number = [&](double value) {
        return kernel.number(value, ElementType::Int64);
    };
    if (type == ElementType::UInt8)
        return kernel.add(Opcode::BitAnd, ElementType::Int64, {step, number(255)});
    const double all = std::exp2(8 * bytesOf(type));
    const KernelStep &known = kernel.step(step);
    if (known.op == Opcode::Number && std::abs(known.number) < std::exp2(53))
        return number(known.number - all * std::floor(known.number / all + 0.5));
    const int unusedBits = computedBits - 8 * bytesOf(type);
    return kernel.add(
        Opcode::ShiftRight, ElementType::Int64,
        {kernel.add(Opcode::ShiftLeft, ElementType::Int64, {step, number(unusedBits)}), number(unusedBits)});
}

} // namespace

int lowerBitwise(LoweringContext &context, const GraphNode &node, const AffineMap &map) {
    Kernel &kernel = context.kernel();
    const ElementType type = computeType(node.type);
    const int first = context.operand(node, node.arguments[0], map, type);
    if (first < 0)
        return first;
    const auto number = [&](double value) {
        return kernel.number(value, ElementType::Int64);
    };
    if (opNameOf(node) == QLatin1String("bitwise_not"))
        return type == ElementType::Bool
                   ? kernel.add(Opcode::Not, type, {first})
                   : kernel.add(Opcode::Subtract, type,
                                {number(node.type == ElementType::UInt8 ? 255 : -1), first});
    if (node.arguments.size() < 2)
        return context.refuseUnknown(node);
    const int second = context.operand(node, node.arguments[1], map, type);
    if (second < 0)
        return second;
    const Opcode op = bitwiseOpcode(opNameOf(node)).value();
    if (op != Opcode::ShiftLeft && op != Opcode::ShiftRight)
        return kernel.add(type == ElementType::Bool ? logicOf(op) : op, type, {first, second});
    if (type != ElementType::Int64)
        return context.refuseUnknown(node);
    // torch defines shifts by too many bits: only the sign is left; in C++ they are undefined.
    const int bits = 8 * bytesOf(node.type);
    const KernelStep &by = kernel.step(second);
    const bool isSure = by.op == Opcode::Number && by.number >= 0 && by.number < bits;
    const int isBeyond =
        isSure ? -1
               : kernel.add(Opcode::Or, ElementType::Bool,
                            {kernel.add(Opcode::Less, ElementType::Bool, {second, number(0)}),
                             kernel.add(Opcode::LessOrEqual, ElementType::Bool, {number(bits), second})});
    const auto unless = [&](int step, double otherwise) {
        return isSure ? step
                      : kernel.add(Opcode::Select, ElementType::Int64, {isBeyond, number(otherwise), step});
    };
    if (op == Opcode::ShiftRight)
        return kernel.add(op, type, {first, unless(second, bits - 1)});
    return unless(kernel.add(op, type, {first, unless(second, 0)}), 0);
}

int wrapToType(LoweringContext &context, const GraphNode &node, int step) {
    Kernel &kernel = context.kernel();
    if (isFloating(node.type) || node.type == ElementType::Bool || node.type == ElementType::Int64)
        return step;
    const QString word = opNameOf(node);
    const GraphArgument *first = node.argument(0);
    // Converting a float that is out of range is undefined, in torch too.
    if ((word == QLatin1String("_to_copy") || word == QLatin1String("prims")) && first != nullptr &&
        first->kind == GraphArgument::Kind::Node && isFloating(context.nodeAt(first->node).type))
        return step;
    if (integerRangeOf(kernel, step).isWithin(integerRangeOf(node.type)))
        return step;
    // Indices, counts and their sums fit 32 bits; hashes do not.
    const std::vector<int> &operands = kernel.step(step).operands;
    const bool hasWrappedOperand = std::any_of(operands.begin(), operands.end(),
                                               [&](int operand) { return context.isWrapped(operand); });
    static const QSet<QString> sums = {QStringLiteral("add"), QStringLiteral("sub"), QStringLiteral("rsub"),
                                       QStringLiteral("neg"), QStringLiteral("abs")};
    if (node.type == ElementType::Int32 && sums.contains(word) && !hasWrappedOperand)
        return step;
    const int wrapped = wrapTo(kernel, node.type, step);
    context.addWrapped(wrapped);
    return wrapped;
}

} // namespace warpwright
