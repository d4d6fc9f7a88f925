// SPDX-License-Identifier: GPL-3.0-or-later
// Simplifies sums over a softmax or a log-softmax: members of Kernel. Factoring its normalization out saves a
// loop over the row, since that is known one loop later than the elements.
#include "agent/playbook/ir/kernel.h"

#include <algorithm>
#include <limits>
#include <set>

namespace warpwright {
namespace {

// Repeated squaring has exponentially many factors, and nested sums as many terms: the search is bounded.
constexpr std::size_t mostFactors = 8;
constexpr int mostDepth = 6;

} // namespace

/// Whether this is v's row maximum, or that with 0 for infinity, as in torch's logsumexp.
bool Kernel::isMaximumOf(int level, int v) const {
    const KernelStep &some = step(level);
    if (some.op == Opcode::RowMaximum)
        return some.operands[0] == v;
    if (some.op != Opcode::Select || !isNumber(some.operands[1], 0))
        return false;
    const KernelStep &test = step(some.operands[0]);
    const auto isSize = [&](int size) {
        return step(size).op == Opcode::Abs && step(size).operands[0] == some.operands[2];
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool testsInfinity =
        test.op == Opcode::Equal && ((isSize(test.operands[0]) && isNumber(test.operands[1], infinity)) ||
                                     (isSize(test.operands[1]) && isNumber(test.operands[0], infinity)));
    return testsInfinity && step(some.operands[2]).op == Opcode::RowMaximum &&
           isMaximumOf(some.operands[2], v);
}

// Matches (v - max) - log(sum) and v - (log(sum) + max).
std::optional<LogSoftmax> Kernel::logSoftmaxOf(int number) const {
    const KernelStep &some = step(number);
    if (some.op != Opcode::Subtract)
        return std::nullopt;
    const auto found = [&](int logarithm, int level) -> std::optional<LogSoftmax> {
        if (step(logarithm).op != Opcode::Log || step(logarithm).type != some.type)
            return std::nullopt;
        const int sum = step(logarithm).operands[0];
        if (step(sum).op != Opcode::RowSum || step(step(sum).operands[0]).op != Opcode::Exp)
            return std::nullopt;
        const int distance = step(step(sum).operands[0]).operands[0];
        const KernelStep &inner = step(distance);
        if (inner.op != Opcode::Subtract || !isMaximumOf(inner.operands[1], inner.operands[0]))
            return std::nullopt;
        const bool isIt = level < 0 ? distance == some.operands[0]
                                    : inner.operands == std::vector<int>{some.operands[0], level};
        return isIt ? std::optional(LogSoftmax{distance, inner.operands[1], sum, logarithm}) : std::nullopt;
    };
    const int less = some.operands[1];
    if (step(less).op != Opcode::Add)
        return found(less, -1);
    const std::vector<int> &parts = step(less).operands;
    const auto first = found(parts[0], parts[1]);
    return first ? first : found(parts[1], parts[0]);
}

bool Kernel::dependsOn(int number, int other) const {
    std::set<int> found = {number};
    for (int some = number; some > other; --some) // operands come before their users
        if (found.contains(some))
            found.insert(step(some).operands.begin(), step(some).operands.end());
    return found.contains(other);
}

// The logarithm to subtract. Where logsumexp replaces an infinite maximum by 0, elements are NaN, if only the
// maximum's: their sum is NaN.
int Kernel::logarithmOf(const LogSoftmax &some, ElementType type) {
    const KernelStep level = step(some.level);
    if (level.op != Opcode::Select)
        return some.logarithm;
    const int none = number(std::numeric_limits<double>::quiet_NaN(), type);
    return add(Opcode::Select, type, {level.operands[0], none, some.logarithm});
}

// Splits an element into a part without logarithms of sums, and these; -1: there are none. `others` must not
// depend on these sums.
std::pair<int, int> Kernel::withoutLogarithms(int number, ElementType type, const std::vector<int> &others,
                                              int depth) {
    const KernelStep some = step(number);
    if (some.type != type || some.level < StepLevel::Column || depth > mostDepth)
        return {number, -1};
    if (const auto found = logSoftmaxOf(number)) {
        const bool isKnownBefore = std::any_of(others.begin(), others.end(),
                                               [&](int other) { return dependsOn(other, found->sum); });
        return isKnownBefore ? std::pair(number, -1) : std::pair(found->distance, logarithmOf(*found, type));
    }
    if (some.op != Opcode::Add && some.op != Opcode::Subtract)
        return {number, -1};
    const auto [first, ofFirst] = withoutLogarithms(some.operands[0], type, others, depth + 1);
    const auto [second, ofSecond] = withoutLogarithms(some.operands[1], type, others, depth + 1);
    if (ofFirst < 0 && ofSecond < 0)
        return {number, -1};
    const int row = ofSecond < 0             ? ofFirst
                    : ofFirst >= 0           ? add(some.op, type, {ofFirst, ofSecond})
                    : some.op == Opcode::Add ? ofSecond
                                             : add(Opcode::Negate, type, {ofSecond});
    return {add(some.op, type, {first, second}), row};
}

// sum(P (h - log(S))) = sum(P h) - log(S) sum(P): as exact, since h <= 0 and log(S) >= 0 here. -1: no match.
int Kernel::sumWithoutLogarithms(int multiply, ElementType type) {
    std::vector<int> factors;
    std::vector<int> open{multiply};
    while (!open.empty()) {
        const int number = open.back();
        open.pop_back();
        const KernelStep &some = step(number);
        if (factors.size() + open.size() > mostFactors)
            return -1;
        if (some.op == Opcode::Multiply && some.type == type)
            open.insert(open.end(), some.operands.rbegin(), some.operands.rend());
        else
            factors.push_back(number);
    }
    for (std::size_t i = 0; factors.size() > 1 && i < factors.size(); ++i) {
        std::vector<int> others = factors;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const auto [elements, row] = withoutLogarithms(factors[i], type, others);
        if (row < 0)
            continue;
        int rest = others[0];
        for (std::size_t k = 1; k < others.size(); ++k)
            rest = add(Opcode::Multiply, type, {rest, others[k]});
        if (step(rest).level < StepLevel::Column) // a constant
            return add(Opcode::Multiply, type, {add(Opcode::RowSum, type, {factors[i]}), rest});
        const int sum = add(Opcode::RowSum, type, {add(Opcode::Multiply, type, {rest, elements})});
        const int ofRest = add(Opcode::RowSum, type, {rest});
        return add(Opcode::Subtract, type, {sum, add(Opcode::Multiply, type, {ofRest, row})});
    }
    return -1;
}

int Kernel::largest(ElementType type, int element) {
    const KernelStep some = step(element);
    if (some.op == Opcode::Multiply)
        for (const auto &[one, other] :
             {std::pair(some.operands[0], some.operands[1]), std::pair(some.operands[1], some.operands[0])}) {
            const KernelStep factor = step(other);
            // A softmax: its factor is positive.
            if (step(one).op == Opcode::Exp && factor.op == Opcode::Divide &&
                isNumber(factor.operands[0], 1) && step(factor.operands[1]).op == Opcode::RowSum &&
                step(factor.operands[1]).operands[0] == one)
                return add(Opcode::Multiply, type, {largest(type, one), other});
        }
    const auto isDistance = [this](const KernelStep &distance) {
        return distance.op == Opcode::Subtract && isMaximumOf(distance.operands[1], distance.operands[0]);
    };
    if (some.op == Opcode::Exp && isDistance(step(some.operands[0])))
        return add(Opcode::Exp, type, {largest(type, some.operands[0])});
    if (isDistance(some))
        return add(Opcode::Subtract, type,
                   {add(Opcode::RowMaximum, type, {some.operands[0]}), some.operands[1]});
    if (const auto found = logSoftmaxOf(element))
        return add(Opcode::Subtract, type, {largest(type, found->distance), found->logarithm});
    return add(Opcode::RowMaximum, type, {element});
}

} // namespace warpwright
