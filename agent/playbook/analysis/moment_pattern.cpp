// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/moment_pattern.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

bool isAloneInPass(const Kernel &kernel, int reduction) {
    return std::none_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
        const bool isOther = &step != &kernel.step(reduction);
        return isReduction(step.op) && isOther && step.pass == kernel.step(reduction).pass;
    });
}

// Whether the loop that computes this sum also stores.
bool isStoredInSamePass(const Kernel &kernel, int reduction) {
    return std::any_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
        const KernelStep &step = kernel.step(store.step);
        return step.level >= StepLevel::Column && !isReduction(step.op) &&
               std::max(step.pass, 0) == kernel.step(reduction).pass - 1;
    });
}

std::optional<RowMoments> momentsWith(const Kernel &kernel, int squares) {
    const KernelStep &outer = kernel.step(squares);
    if (outer.op != Opcode::RowSum)
        return {};
    const KernelStep &square = kernel.step(outer.operands[0]);
    if (square.op != Opcode::Multiply || square.operands[0] != square.operands[1])
        return {};
    const int centred = square.operands[0];
    const KernelStep &difference = kernel.step(centred);
    if (difference.op != Opcode::Subtract || difference.level != StepLevel::Element)
        return {};
    const KernelStep &mean = kernel.step(difference.operands[1]);
    if (mean.operands.empty())
        return {};
    const int sum = mean.operands[0];
    const KernelStep &inner = kernel.step(sum);
    if (inner.op != Opcode::RowSum || !isMeanOf(kernel, mean, sum) ||
        inner.operands[0] != difference.operands[0] || inner.pass + 1 != outer.pass ||
        inner.type != outer.type || !isAloneInPass(kernel, sum) || !isAloneInPass(kernel, squares) ||
        isStoredInSamePass(kernel, squares))
        return {};
    return RowMoments{sum, difference.operands[1], squares, {centred, outer.operands[0]}};
}

} // namespace

bool isMeanOf(const Kernel &kernel, const KernelStep &step, int sum) {
    if (step.operands.size() != 2 || step.operands[0] != sum)
        return false;
    const KernelStep &other = kernel.step(step.operands[1]);
    const auto length = static_cast<double>(kernel.columns());
    const double expected = step.op == Opcode::Divide ? length : 1.0 / length;
    return (step.op == Opcode::Divide || step.op == Opcode::Multiply) && other.op == Opcode::Number &&
           std::abs(other.number - expected) <= 1e-12 * expected;
}

std::optional<RowMoments> rowMomentsOf(const Kernel &kernel) {
    if (kernel.hasScans() || kernel.hasKthValues())
        return {};
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        if (const auto moments = momentsWith(kernel, static_cast<int>(i)))
            return moments;
    return {};
}

} // namespace warpwright
