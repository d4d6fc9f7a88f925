// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/formula_reads.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

/// By step, whether the formula prints it; what a gather's index is made of it does not.
std::vector<bool> printedSteps(const Kernel &kernel, const std::vector<bool> &isLeftOut) {
    std::vector<bool> isPrinted(kernel.steps.size(), false);
    for (const KernelStore &store : kernel.stores)
        isPrinted[static_cast<std::size_t>(store.step)] = true;
    for (std::size_t i = kernel.steps.size(); i-- > 0;) {
        if (!isPrinted[i] || isLeftOut[i])
            continue;
        const KernelStep &step = kernel.steps[i];
        const std::size_t indices =
            step.op == Opcode::Load ? kernel.inputs[static_cast<std::size_t>(step.input)].strides.size() : 0;
        for (std::size_t k = indices; k < step.operands.size(); ++k)
            isPrinted[static_cast<std::size_t>(step.operands[k])] = true;
    }
    return isPrinted;
}

/// Whether both Load steps read the same element, or both Index steps are the same counter.
bool areSameRead(const Kernel &kernel, const KernelStep &a, const KernelStep &b) {
    if (a.op == Opcode::Index)
        return a.index == b.index;
    const KernelInput &input = kernel.inputs[static_cast<std::size_t>(a.input)];
    const KernelInput &other = kernel.inputs[static_cast<std::size_t>(b.input)];
    const auto indices = static_cast<std::ptrdiff_t>(input.strides.size());
    return input.address == other.address && input.strides == other.strides &&
           std::equal(a.operands.begin(), a.operands.begin() + indices, b.operands.begin());
}

} // namespace

std::vector<QString> formulaReads(const Kernel &kernel, const std::function<QString(int buffer)> &nameOf,
                                  const QString &counter, const std::vector<bool> &isLeftOut) {
    const std::vector<bool> isPrinted = printedSteps(kernel, isLeftOut);
    std::map<QString, std::vector<std::size_t>> stepsOf; // by name
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        if (!isPrinted[i] || (step.op != Opcode::Load && step.op != Opcode::Index))
            continue;
        stepsOf[step.op == Opcode::Index ? counter
                                         : nameOf(kernel.inputs[static_cast<std::size_t>(step.input)].buffer)]
            .push_back(i);
    }
    std::vector<QString> reads(kernel.steps.size());
    for (auto &[name, steps] : stepsOf) {
        std::stable_sort(steps.begin(), steps.end(), [&kernel](std::size_t a, std::size_t b) {
            return kernel.steps[a].level < kernel.steps[b].level;
        });
        std::vector<std::size_t> distinct;
        const auto sameAs = [&](std::size_t step) {
            return std::find_if(distinct.begin(), distinct.end(), [&](std::size_t other) {
                return areSameRead(kernel, kernel.steps[step], kernel.steps[other]);
            });
        };
        for (const std::size_t step : steps)
            if (sameAs(step) == distinct.end())
                distinct.push_back(step);
        for (const std::size_t step : steps) {
            const auto number = sameAs(step) - distinct.begin();
            reads[step] = distinct.size() > 2 ? QStringLiteral("%1_%2").arg(name).arg(number + 1)
                          : number == 1       ? name + QLatin1Char('\'')
                                              : name;
        }
    }
    return reads;
}

} // namespace warpwright
