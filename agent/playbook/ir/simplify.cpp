// SPDX-License-Identifier: GPL-3.0-or-later
// Algebraic simplifications: members of Kernel that add() calls.
#include "agent/playbook/ir/kernel.h"

#include <cmath>

namespace warpwright {

// Splits a product into elements and a factor that is constant within a row; -1: it has none. `none`: steps
// that are known to have none.
std::pair<int, int> Kernel::withoutFactor(int multiply, ElementType type, std::set<int> &none) {
    const KernelStep some = step(multiply);
    if (some.op != Opcode::Multiply || some.type != type || none.contains(multiply))
        return {multiply, -1};
    for (const auto &[one, other] :
         {std::pair(some.operands[0], some.operands[1]), std::pair(some.operands[1], some.operands[0])}) {
        if (step(other).level < StepLevel::Column)
            continue;
        if (step(one).level <= StepLevel::Row && step(one).op != Opcode::Number)
            return {other, one};
        if (const auto [rest, factor] = withoutFactor(one, type, none); factor >= 0)
            return {add(Opcode::Multiply, type, {rest, other}), factor};
    }
    none.insert(multiply); // memoized: repeated squaring reaches a step by many paths
    return {multiply, -1};
}

// `condition ? element : number` where the load has that guard: the number becomes the load's fallback value.
int Kernel::simplifiedSelect(int condition, int first, int second) {
    if (first == second)
        return first;
    const KernelStep &element = step(first);
    const bool isOfIt =
        element.op == Opcode::Load && element.isGuarded && element.operands.back() == condition;
    if (!isOfIt || step(second).op != Opcode::Number || std::isnan(step(second).number))
        return simplifiedElu(condition, first, second);
    KernelStep some = element;
    some.number = step(second).number;
    some.level = levelOf(inputs[static_cast<std::size_t>(some.input)].address);
    return append(std::move(some));
}

// `0 < h ? h : exp(h) - 1`, each perhaps scaled, by max(h, 0) and min(h, 0): without the branch around the
// expensive part, which half of a warp would take. -1: no match.
int Kernel::simplifiedElu(int condition, int positive, int negative) {
    const ElementType type = step(positive).type;
    if (step(condition).op != Opcode::Less || !isNumber(step(condition).operands[0], 0) || !isFloating(type))
        return -1;
    const int h = step(condition).operands[1];
    const auto scaled = [this, h](int some) { // (operand, constant factor); -1: none
        const KernelStep &multiply = step(some);
        return some != h && multiply.op == Opcode::Multiply && step(multiply.operands[1]).op == Opcode::Number
                   ? std::pair(multiply.operands[0], multiply.operands[1])
                   : std::pair(some, -1);
    };
    const auto [above, aboveFactor] = scaled(positive);
    const auto [power, powerFactor] = scaled(negative);
    if (above != h || step(power).op != Opcode::Expm1)
        return -1;
    const auto [below, belowFactor] = scaled(step(power).operands[0]);
    const bool isInOrder = belowFactor < 0 || step(belowFactor).number > 0;
    if (below != h || !isInOrder || step(h).type != type || step(power).type != type)
        return -1;
    const auto times = [this, type](int some, int factor) {
        return factor < 0 ? some : add(Opcode::Multiply, type, {some, factor});
    };
    const int zero = number(0, type);
    const int larger = add(Opcode::Maximum, type, {h, zero});
    const int smaller = add(Opcode::Minimum, type, {h, zero});
    const int less = add(Opcode::Expm1, type, {times(smaller, belowFactor)});
    return add(Opcode::Add, type, {times(larger, aboveFactor), times(less, powerFactor)});
}

// The h of `20 < h ? h : log(1 + exp(h))`; -1: no match.
int Kernel::softplusBy20(const std::vector<int> &select) const {
    const KernelStep &condition = step(select[0]);
    const KernelStep &small = step(select[2]);
    if (condition.op != Opcode::Less || !isNumber(condition.operands[0], 20) ||
        condition.operands[1] != select[1] || small.op != Opcode::Log1p ||
        step(small.operands[0]).op != Opcode::Exp)
        return -1;
    return step(small.operands[0]).operands[0] == select[1] ? select[1] : -1;
}

// log(1 + exp(h)) as max(h, 0) + log(1 + exp(-|h|)).
int Kernel::softplus(int h, ElementType type) {
    const int distance = add(Opcode::Negate, type, {add(Opcode::Abs, type, {h})});
    const int correction = add(Opcode::Log1p, type, {add(Opcode::Exp, type, {distance})});
    return add(Opcode::Add, type, {add(Opcode::Maximum, type, {h, number(0, type)}), correction});
}

// The h of log(1 + exp(h)), also in the form above; -1: no match.
int Kernel::softplusOf(int number) const {
    const auto operandOf = [this](int position, Opcode op) { // -1: no match
        return position >= 0 && step(position).op == op ? step(position).operands[0] : -1;
    };
    const auto isCorrectionOf = [&](int correction, int h) {
        const int power = operandOf(operandOf(correction, Opcode::Log1p), Opcode::Exp);
        const int size = operandOf(operandOf(power, Opcode::Negate), Opcode::Abs);
        return size >= 0 && (size == h || size == operandOf(h, Opcode::Negate));
    };
    const KernelStep &some = step(number);
    if (some.op == Opcode::Add)
        for (const auto &[one, correction] :
             {std::pair(some.operands[0], some.operands[1]), std::pair(some.operands[1], some.operands[0])})
            if (step(one).op == Opcode::Maximum && isNumber(step(one).operands[1], 0) &&
                isCorrectionOf(correction, step(one).operands[0]))
                return step(one).operands[0];
    return operandOf(operandOf(number, Opcode::Log1p), Opcode::Exp);
}

} // namespace warpwright
