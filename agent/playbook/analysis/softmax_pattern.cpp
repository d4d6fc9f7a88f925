// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/softmax_pattern.h"

#include "agent/playbook/analysis/integer_ranges.h"

#include <cmath>

namespace warpwright {
namespace {

int withoutConversions(const Kernel &kernel, int step) {
    while (kernel.step(step).op == Opcode::Convert)
        step = kernel.step(step).operands[0];
    return step;
}

bool isMinusInfinity(const Kernel &kernel, int step) {
    const KernelStep &what = kernel.step(withoutConversions(kernel, step));
    return what.op == Opcode::Number && std::isinf(what.number) && what.number < 0;
}

bool isNumber(const Kernel &kernel, int step, double value) {
    const KernelStep &what = kernel.step(withoutConversions(kernel, step));
    return what.op == Opcode::Number && what.number == value;
}

// Matches exp(x - max(x)): x. -1: no match.
int logitOf(const Kernel &kernel, int exponential) {
    const KernelStep &e = kernel.step(exponential);
    if (e.op != Opcode::Exp)
        return -1;
    const KernelStep &difference = kernel.step(e.operands[0]);
    if (difference.op != Opcode::Subtract)
        return -1;
    const KernelStep &largest = kernel.step(withoutConversions(kernel, difference.operands[1]));
    const bool isOfRow =
        largest.op == Opcode::RowMaximum &&
        withoutConversions(kernel, largest.operands[0]) == withoutConversions(kernel, difference.operands[0]);
    return isOfRow ? difference.operands[0] : -1;
}

bool isSumOf(const Kernel &kernel, int step, int exponential) {
    const KernelStep &sum = kernel.step(withoutConversions(kernel, step));
    return sum.op == Opcode::RowSum && withoutConversions(kernel, sum.operands[0]) == exponential;
}

// Whether the condition is torch's test for a fully masked row: no logit is more than -infinity.
bool isNothingLeft(const Kernel &kernel, int condition, int logit) {
    const KernelStep &outer = kernel.step(withoutConversions(kernel, condition));
    if (outer.op != Opcode::Not)
        return false;
    const KernelStep &any = kernel.step(withoutConversions(kernel, outer.operands[0]));
    if (any.op != Opcode::RowMaximum)
        return false;
    const KernelStep *test = &kernel.step(withoutConversions(kernel, any.operands[0]));
    Opcode wanted = Opcode::NotEqual;
    if (test->op == Opcode::Not) {
        test = &kernel.step(withoutConversions(kernel, test->operands[0]));
        wanted = Opcode::Equal;
    }
    return test->op == wanted &&
           withoutConversions(kernel, test->operands[0]) == withoutConversions(kernel, logit) &&
           isMinusInfinity(kernel, test->operands[1]);
}

/// Whether a type represents all integers from `low` to `high` exactly, without rounding or overflow.
bool holdsAll(ElementType type, std::int64_t low, std::int64_t high) {
    const IntegerRange numbers{static_cast<double>(low), static_cast<double>(high)};
    const auto hasDigits = [&numbers](int bits) {
        return numbers.isWithin({-std::exp2(bits), std::exp2(bits) - 1});
    };
    switch (type) {
    case ElementType::BFloat16:
        return hasDigits(8);
    case ElementType::Float16:
        return hasDigits(11);
    case ElementType::Float32:
        return hasDigits(24);
    case ElementType::Float64:
        return hasDigits(53);
    default:
        return numbers.isWithin(integerRangeOf(type));
    }
}

/// A step as an affine function of the loops; empty: it is none.
std::optional<AffineExpr> formOf(const Kernel &kernel, int number) {
    const KernelStep &step = kernel.step(number);
    std::optional<AffineExpr> form;
    if (step.op == Opcode::Index && step.index.steps.size() == kernel.loops.size()) {
        form = step.index;
    } else if (step.op == Opcode::Number && step.number == std::floor(step.number) &&
               std::abs(step.number) < 0x1p52) {
        form = constantIndex(static_cast<std::int64_t>(step.number), kernel.loops.size());
    } else if (step.op == Opcode::Convert) {
        form = formOf(kernel, step.operands[0]);
    } else if (step.op == Opcode::Add || step.op == Opcode::Subtract) {
        const auto first = formOf(kernel, step.operands[0]);
        const auto second = formOf(kernel, step.operands[1]);
        if (!first || !second)
            return std::nullopt;
        const std::int64_t sign = step.op == Opcode::Add ? 1 : -1;
        form = first;
        form->offset += sign * second->offset;
        for (std::size_t k = 0; k < form->steps.size(); ++k)
            form->steps[k] += sign * second->steps[k];
    }
    if (!form)
        return std::nullopt;
    const auto [low, high] = rangeOf(*form, kernel.loops);
    return holdsAll(step.type, low, high) ? form : std::nullopt;
}

} // namespace

void addMaskConditions(const Kernel &kernel, int number, bool isNegated, std::vector<MaskCondition> &all) {
    number = withoutConversions(kernel, number);
    const KernelStep &step = kernel.step(number);
    if (step.op == Opcode::Not)
        return addMaskConditions(kernel, step.operands[0], !isNegated, all);
    if (step.op == (isNegated ? Opcode::Or : Opcode::And)) {
        for (const int operand : step.operands)
            addMaskConditions(kernel, operand, isNegated, all);
        return;
    }
    if (step.op != Opcode::Less && step.op != Opcode::LessOrEqual)
        return;
    // a < b as b - a - 1 >= 0; negated: a - b >= 0.
    const auto first = formOf(kernel, step.operands[0]);
    const auto second = formOf(kernel, step.operands[1]);
    if (!first || !second)
        return;
    MaskCondition where{number, isNegated, *second};
    const std::int64_t sign = isNegated ? -1 : 1;
    where.form.offset = sign * (second->offset - first->offset);
    for (std::size_t k = 0; k < where.form.steps.size(); ++k)
        where.form.steps[k] = sign * (second->steps[k] - first->steps[k]);
    if ((step.op == Opcode::Less) != isNegated)
        --where.form.offset;
    all.push_back(std::move(where));
}

namespace {

/// Appends the conditions under which `number` is more than -infinity.
void collectMaskConditions(const Kernel &kernel, int number, std::vector<MaskCondition> &all) {
    number = withoutConversions(kernel, number);
    const KernelStep &step = kernel.step(number);
    const auto isPositive = [&kernel](int operand) {
        return kernel.step(operand).op == Opcode::Number && kernel.step(operand).number > 0;
    };
    if (step.op == Opcode::Select) {
        if (isMinusInfinity(kernel, step.operands[2])) {
            addMaskConditions(kernel, step.operands[0], false, all);
            collectMaskConditions(kernel, step.operands[1], all);
        } else if (isMinusInfinity(kernel, step.operands[1])) {
            addMaskConditions(kernel, step.operands[0], true, all);
            collectMaskConditions(kernel, step.operands[2], all);
        }
    } else if (step.op == Opcode::Add) {
        collectMaskConditions(kernel, step.operands[0], all);
        collectMaskConditions(kernel, step.operands[1], all);
    } else if (step.op == Opcode::Multiply && isPositive(step.operands[1])) {
        collectMaskConditions(kernel, step.operands[0], all);
    }
}

/// Whether it is 0 or -infinity, under any condition.
bool isMask(const Kernel &kernel, int number) {
    const KernelStep &step = kernel.step(withoutConversions(kernel, number));
    return step.op == Opcode::Select &&
           ((isMinusInfinity(kernel, step.operands[1]) && isNumber(kernel, step.operands[2], 0)) ||
            (isMinusInfinity(kernel, step.operands[2]) && isNumber(kernel, step.operands[1], 0)));
}

std::optional<ScaledScore> scaled(const Kernel &kernel, int number) {
    const KernelStep &step = kernel.step(number);
    if (number == kernel.attention()->score)
        return ScaledScore{};
    switch (step.op) {
    case Opcode::Convert:
        return isFloating(step.type) ? scaled(kernel, step.operands[0]) : std::nullopt;
    case Opcode::Multiply: {
        const KernelStep &factor = kernel.step(step.operands[1]);
        if (factor.op != Opcode::Number || !(factor.number > 0) || std::isinf(factor.number))
            return std::nullopt;
        auto inside = scaled(kernel, step.operands[0]);
        if (inside) {
            inside->factor *= factor.number;
            inside->scalings.push_back(number);
        }
        return inside;
    }
    case Opcode::Select:
        if (isDerivedFrom(kernel, step.operands[0], kernel.attention()->score))
            return std::nullopt;
        return isMinusInfinity(kernel, step.operands[2])   ? scaled(kernel, step.operands[1])
               : isMinusInfinity(kernel, step.operands[1]) ? scaled(kernel, step.operands[2])
                                                           : std::nullopt;
    case Opcode::Add:
        return isMask(kernel, step.operands[1])   ? scaled(kernel, step.operands[0])
               : isMask(kernel, step.operands[0]) ? scaled(kernel, step.operands[1])
                                                  : std::nullopt;
    default:
        return std::nullopt;
    }
}

} // namespace

std::vector<bool> neededBy(const Kernel &kernel, int step) {
    std::vector<bool> needed(kernel.steps.size(), false);
    needed[static_cast<std::size_t>(step)] = true;
    for (int number = step; number >= 0; --number) // steps come after their operands
        if (needed[static_cast<std::size_t>(number)])
            for (const int operand : kernel.step(number).operands)
                needed[static_cast<std::size_t>(operand)] = true;
    return needed;
}

bool isDerivedFrom(const Kernel &kernel, int step, int part) {
    return neededBy(kernel, step)[static_cast<std::size_t>(part)];
}

bool dependsOnReduction(const Kernel &kernel, int step) {
    const std::vector<bool> needed = neededBy(kernel, step);
    for (std::size_t i = 0; i < needed.size(); ++i)
        if (needed[i] && (isReduction(kernel.steps[i].op) || isScan(kernel.steps[i].op)))
            return true;
    return false;
}

std::optional<Softmax> softmaxOf(const Kernel &kernel, int step) {
    step = withoutConversions(kernel, step);
    int guard = -1;
    if (kernel.step(step).op == Opcode::Select && isNumber(kernel, kernel.step(step).operands[1], 0)) {
        guard = kernel.step(step).operands[0];
        step = withoutConversions(kernel, kernel.step(step).operands[2]);
    }
    const KernelStep &quotient = kernel.step(step);
    int exponential = -1;
    if (quotient.op == Opcode::Divide) {
        exponential = withoutConversions(kernel, quotient.operands[0]);
        if (!isSumOf(kernel, quotient.operands[1], exponential))
            return std::nullopt;
    } else if (quotient.op == Opcode::Multiply) {
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            const KernelStep &factor = kernel.step(quotient.operands[which]);
            const int other = withoutConversions(kernel, quotient.operands[1 - which]);
            if (factor.op == Opcode::Divide && isNumber(kernel, factor.operands[0], 1) &&
                isSumOf(kernel, factor.operands[1], other))
                exponential = other;
        }
    }
    if (exponential < 0)
        return std::nullopt;
    const int logit = logitOf(kernel, exponential);
    if (logit < 0 || (guard >= 0 && !isNothingLeft(kernel, guard, logit)))
        return std::nullopt;
    return Softmax{logit, guard >= 0};
}

std::vector<MaskCondition> maskConditions(const Kernel &kernel) {
    std::vector<MaskCondition> all;
    collectMaskConditions(kernel, kernel.attention()->logit, all);
    return all;
}

std::optional<ScaledScore> scaledScore(const Kernel &kernel) {
    return scaled(kernel, kernel.attention()->logit);
}

} // namespace warpwright
