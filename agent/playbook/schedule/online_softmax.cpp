// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/online_softmax.h"

#include <algorithm>
#include <limits>
#include <set>

namespace warpwright {
namespace {

int levelOf(const Kernel &kernel, int exponential) {
    return kernel.step(kernel.step(exponential).operands[0]).operands[1];
}

/// The row maximum of this level; -1: none. A logsumexp's level is 0 where the maximum is infinite.
int largestOf(const Kernel &kernel, int level) {
    const KernelStep &step = kernel.step(level);
    if (step.op == Opcode::RowMaximum)
        return level;
    if (step.op != Opcode::Select || step.operands.size() != 3)
        return -1;
    const auto isNumber = [&](int number, double value) {
        return kernel.step(number).op == Opcode::Number && kernel.step(number).number == value;
    };
    const KernelStep &condition = kernel.step(step.operands[0]);
    const int largest = step.operands[2];
    const auto isSize = [&](int number) {
        return kernel.step(number).op == Opcode::Abs && kernel.step(number).operands[0] == largest;
    };
    constexpr double endless = std::numeric_limits<double>::infinity();
    const bool isTest = condition.op == Opcode::Equal &&
                        ((isSize(condition.operands[0]) && isNumber(condition.operands[1], endless)) ||
                         (isSize(condition.operands[1]) && isNumber(condition.operands[0], endless)));
    return isTest && isNumber(step.operands[1], 0) && kernel.step(largest).op == Opcode::RowMaximum ? largest
                                                                                                    : -1;
}

/// The one factor of an element that is such an exponential, where the others are known in the maximum's
/// loop; -1: none. `none`: steps that are known to have none.
int exponentialIn(const Kernel &kernel, int number, std::set<int> &none) {
    if (isExponentialOfDistance(kernel, number))
        return number;
    if (!none.insert(number).second) // a square of squares is reached in many ways
        return -1;
    const KernelStep &step = kernel.step(number);
    const auto isKnown = [&](int other, int exponential) {
        return kernel.step(other).pass < kernel.step(levelOf(kernel, exponential)).pass;
    };
    if (step.op == Opcode::Multiply || step.op == Opcode::Divide) {
        for (std::size_t i = 0; i < (step.op == Opcode::Divide ? 1U : 2U); ++i)
            if (const int found = exponentialIn(kernel, step.operands[i], none);
                found >= 0 && isKnown(step.operands[1 - i], found))
                return found;
        return -1;
    }
    if (step.op != Opcode::Select || step.operands.size() != 3)
        return -1;
    const KernelStep &other = kernel.step(step.operands[2]);
    const int found = exponentialIn(kernel, step.operands[1], none);
    const bool isNothingElse = other.op == Opcode::Number && other.number == 0;
    return found >= 0 && isNothingElse && isKnown(step.operands[0], found) ? found : -1;
}

} // namespace

bool isExponentialOfDistance(const Kernel &kernel, int number) {
    const KernelStep &step = kernel.step(number);
    if (step.op != Opcode::Exp || step.type != ElementType::Float32)
        return false;
    const KernelStep &distance = kernel.step(step.operands[0]);
    if (distance.op != Opcode::Subtract || distance.level < StepLevel::Column)
        return false;
    const int largest = largestOf(kernel, distance.operands[1]);
    return largest >= 0 && kernel.step(largest).type == ElementType::Float32 &&
           kernel.step(largest).operands[0] == distance.operands[0];
}

bool isExponentialBelowMaximumChain(const Kernel &kernel, int number) {
    const KernelStep &step = kernel.step(number);
    if (step.op != Opcode::Exp || step.type != ElementType::Float32)
        return false;
    const KernelStep &distance = kernel.step(step.operands[0]);
    if (distance.op != Opcode::Subtract)
        return false;
    std::set<int> chain = {distance.operands[1]}; // its links, and what they compare
    for (int link = distance.operands[1]; link > distance.operands[0]; --link)
        if (const KernelStep &some = kernel.step(link);
            chain.contains(link) && some.op == Opcode::Maximum && some.type == ElementType::Float32)
            chain.insert(some.operands.begin(), some.operands.end());
    return distance.operands[0] != distance.operands[1] && chain.contains(distance.operands[0]);
}

std::vector<OnlineSoftmax> onlineSoftmaxOf(const Kernel &planned) {
    std::vector<OnlineSoftmax> found;
    if (!planned.isLoops() || planned.hasScans())
        return found;
    const Kernel kernel = withOnlineSums(planned, {}); // also of a kernel whose sums are online already
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &sum = kernel.steps[i];
        if (sum.op != Opcode::RowSum || sum.type != ElementType::Float32)
            continue;
        std::set<int> none;
        const int exponential = exponentialIn(kernel, sum.operands[0], none);
        if (exponential < 0)
            continue;
        const int level = levelOf(kernel, exponential);
        const int largest = largestOf(kernel, level);
        auto of = std::find_if(found.begin(), found.end(),
                               [&](const OnlineSoftmax &some) { return some.largest == largest; });
        if (of == found.end())
            of = found.insert(found.end(), OnlineSoftmax{largest, level, {}});
        if (of->level != level) // two levels would have to be rescaled separately
            continue;
        of->sums.push_back(static_cast<int>(i));
    }
    // Anything else that the loop to be removed computes keeps it.
    const auto runs = [&](int sum) {
        return std::any_of(found.begin(), found.end(), [sum](const OnlineSoftmax &some) {
            return std::find(some.sums.begin(), some.sums.end(), sum) != some.sums.end();
        });
    };
    std::vector<int> remaining; // loops after a maximum's that stay
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        if (isReduction(kernel.steps[i].op) && !runs(static_cast<int>(i)))
            remaining.push_back(kernel.steps[i].pass - 1);
    for (const KernelStore &store : kernel.stores)
        if (kernel.levelOf(store.address) >= StepLevel::Column ||
            kernel.step(store.step).level >= StepLevel::Column)
            remaining.push_back(kernel.step(store.step).pass);
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&](const OnlineSoftmax &some) {
                                   return std::find(remaining.begin(), remaining.end(),
                                                    kernel.step(some.largest).pass) != remaining.end();
                               }),
                found.end());
    return found;
}

bool isLargestOf(const std::vector<OnlineSoftmax> &online, int step) {
    return std::any_of(online.begin(), online.end(),
                       [step](const OnlineSoftmax &some) { return some.largest == step; });
}

Kernel withOnlineSums(Kernel kernel, const std::vector<OnlineSoftmax> &online) {
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        KernelStep &step = kernel.steps[i];
        const auto number = static_cast<int>(i);
        const auto of = std::find_if(online.begin(), online.end(), [number](const OnlineSoftmax &some) {
            return std::find(some.sums.begin(), some.sums.end(), number) != some.sums.end();
        });
        step.pass = 0;
        for (const int operand : step.operands)
            step.pass = std::max(step.pass, kernel.step(operand).pass);
        if (of != online.end())
            step.pass = kernel.step(of->largest).pass;
        else
            step.pass += passesOf(step.op);
    }
    return kernel;
}

} // namespace warpwright
