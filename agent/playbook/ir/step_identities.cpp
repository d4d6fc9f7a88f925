// SPDX-License-Identifier: GPL-3.0-or-later
// What steps come to that say the same in another way: members of FusedKernel that add() asks.
#include "agent/playbook/ir/fused_kernel.h"

#include <cmath>

namespace warpwright {

// A product of elements without a factor that all elements of a row share, and that; -1: it has none. `none`:
// steps that are known to have none.
std::pair<int, int> FusedKernel::withoutFactor(int product, ElementType type, std::set<int> &none) {
    const KernelStep some = step(product);
    if (some.op != KernelOp::Multiply || some.type != type || none.contains(product))
        return {product, -1};
    for (const auto &[one, other] :
         {std::pair(some.operands[0], some.operands[1]), std::pair(some.operands[1], some.operands[0])}) {
        if (step(other).level < StepLevel::Column)
            continue;
        if (step(one).level <= StepLevel::Row && step(one).op != KernelOp::Number)
            return {other, one};
        if (const auto [rest, factor] = withoutFactor(one, type, none); factor >= 0)
            return {add(KernelOp::Multiply, type, {rest, other}), factor};
    }
    none.insert(product); // a square of squares comes here by many ways
    return {product, -1};
}

// `condition ? element : number` where the element is read under that condition alone: the load says so
// itself.
int FusedKernel::selected(int condition, int first, int second) {
    if (first == second)
        return first;
    const KernelStep &element = step(first);
    const bool isOfIt =
        element.op == KernelOp::Load && element.isGuarded && element.operands.back() == condition;
    if (!isOfIt || step(second).op != KernelOp::Number || std::isnan(step(second).number))
        return exponentialUnit(condition, first, second);
    KernelStep some = element;
    some.number = step(second).number;
    some.level = levelOf(leaves[static_cast<std::size_t>(some.leaf)].address);
    return append(std::move(some));
}

// `0 < h ? h : exp(h) - 1`, each perhaps times a number, as what is made of the larger of h and 0, and of the
// smaller: without a condition, which is a branch around the costly part, taken by half of a warp. -1: it is
// something else.
int FusedKernel::exponentialUnit(int condition, int positive, int negative) {
    const ElementType type = step(positive).type;
    if (step(condition).op != KernelOp::Less || !isNumber(step(condition).operands[0], 0) ||
        !isFloating(type))
        return -1;
    const int h = step(condition).operands[1];
    const auto scaled = [this, h](int some) { // without a number that it is multiplied by, and that; -1: none
        const KernelStep &product = step(some);
        return some != h && product.op == KernelOp::Multiply &&
                       step(product.operands[1]).op == KernelOp::Number
                   ? std::pair(product.operands[0], product.operands[1])
                   : std::pair(some, -1);
    };
    const auto [above, aboveFactor] = scaled(positive);
    const auto [power, powerFactor] = scaled(negative);
    if (above != h || step(power).op != KernelOp::ExponentialLess1)
        return -1;
    const auto [below, belowFactor] = scaled(step(power).operands[0]);
    const bool isInOrder = belowFactor < 0 || step(belowFactor).number > 0;
    if (below != h || !isInOrder || step(h).type != type || step(power).type != type)
        return -1;
    const auto times = [this, type](int some, int factor) {
        return factor < 0 ? some : add(KernelOp::Multiply, type, {some, factor});
    };
    const int zero = number(0, type);
    const int larger = add(KernelOp::Maximum, type, {h, zero});
    const int smaller = add(KernelOp::Minimum, type, {h, zero});
    const int less = add(KernelOp::ExponentialLess1, type, {times(smaller, belowFactor)});
    return add(KernelOp::Add, type, {times(larger, aboveFactor), times(less, powerFactor)});
}

// The h of `20 < h ? h : log(1 + exp(h))`; -1: it is something else.
int FusedKernel::softplusBy20(const std::vector<int> &select) const {
    const KernelStep &condition = step(select[0]);
    const KernelStep &small = step(select[2]);
    if (condition.op != KernelOp::Less || !isNumber(condition.operands[0], 20) ||
        condition.operands[1] != select[1] || small.op != KernelOp::Logarithm1Plus ||
        step(small.operands[0]).op != KernelOp::Exponential)
        return -1;
    return step(small.operands[0]).operands[0] == select[1] ? select[1] : -1;
}

// log(1 + exp(h)) as the larger of h and 0, and log(1 + exp(-|h|)).
int FusedKernel::softplus(int h, ElementType type) {
    const int distance = add(KernelOp::Negate, type, {add(KernelOp::Absolute, type, {h})});
    const int tail = add(KernelOp::Logarithm1Plus, type, {add(KernelOp::Exponential, type, {distance})});
    return add(KernelOp::Add, type, {add(KernelOp::Maximum, type, {h, number(0, type)}), tail});
}

// The h of log(1 + exp(h)), also as it is written above; -1: it is something else.
int FusedKernel::softplusOf(int number) const {
    const auto operandOf = [this](int place, KernelOp op) { // -1: it is something else
        return place >= 0 && step(place).op == op ? step(place).operands[0] : -1;
    };
    const auto isTailOf = [&](int tail, int h) {
        const int power = operandOf(operandOf(tail, KernelOp::Logarithm1Plus), KernelOp::Exponential);
        const int size = operandOf(operandOf(power, KernelOp::Negate), KernelOp::Absolute);
        return size >= 0 && (size == h || size == operandOf(h, KernelOp::Negate));
    };
    const KernelStep &some = step(number);
    if (some.op == KernelOp::Add)
        for (const auto &[one, tail] :
             {std::pair(some.operands[0], some.operands[1]), std::pair(some.operands[1], some.operands[0])})
            if (step(one).op == KernelOp::Maximum && isNumber(step(one).operands[1], 0) &&
                isTailOf(tail, step(one).operands[0]))
                return step(one).operands[0];
    return operandOf(operandOf(number, KernelOp::Logarithm1Plus), KernelOp::Exponential);
}

} // namespace warpwright
