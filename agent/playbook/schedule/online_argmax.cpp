// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/online_argmax.h"

#include <algorithm>

namespace warpwright {
namespace {

bool isNanTest(const Kernel &kernel, int condition, int element) {
    const KernelStep &step = kernel.step(condition);
    return step.op == Opcode::NotEqual && step.operands == std::vector<int>{element, element};
}

/// The extreme that an argmax's condition compares its elements with; -1: another condition. A NaN is the
/// extreme as well, and equal to nothing.
int extremeOf(const Kernel &kernel, int condition) {
    const KernelStep &either = kernel.step(condition);
    for (std::size_t i = 0; i < 2 && either.op == Opcode::Or; ++i) {
        const KernelStep &step = kernel.step(either.operands[i]);
        for (std::size_t j = 0; j < 2 && step.op == Opcode::Equal; ++j) {
            const KernelStep &extreme = kernel.step(step.operands[j]);
            if ((extreme.op == Opcode::RowMaximum || extreme.op == Opcode::RowMinimum) &&
                extreme.type == ElementType::Float32 && extreme.operands[0] == step.operands[1 - j] &&
                isNanTest(kernel, either.operands[1 - i], extreme.operands[0]))
                return step.operands[j];
        }
    }
    return -1;
}

/// Whether indices grow along a row, and all of them are smaller than `end`.
bool growsAlong(const Kernel &kernel, const AffineExpr &number, double end) {
    std::int64_t behind = 0; // what the inner loops add at most
    for (std::size_t k = kernel.loops.size(); k-- > kernel.outer;) {
        if (kernel.loops[k] > 1 && number.steps[k] <= behind)
            return false;
        behind += number.steps[k] * (kernel.loops[k] - 1);
    }
    std::int64_t largest = number.offset;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k)
        largest += std::max<std::int64_t>(number.steps[k], 0) * (kernel.loops[k] - 1);
    return static_cast<double>(largest) < end;
}

} // namespace

int extremeOfArgmax(const Kernel &kernel, int position) {
    const KernelStep &step = kernel.step(position);
    if (!kernel.isLoops() || kernel.hasScans() || step.op != Opcode::RowMinimum ||
        step.type != ElementType::Int64)
        return -1;
    const KernelStep &chosen = kernel.step(step.operands[0]);
    if (chosen.op != Opcode::Select || kernel.step(chosen.operands[1]).op != Opcode::Index ||
        kernel.step(chosen.operands[2]).op != Opcode::Number ||
        !growsAlong(kernel, kernel.step(chosen.operands[1]).index, kernel.step(chosen.operands[2]).number))
        return -1;
    return extremeOf(kernel, chosen.operands[0]);
}

Kernel withOnlineArgmax(Kernel kernel) {
    const Kernel planned = kernel;
    std::vector<int> taken; // an extreme has one argmax
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        KernelStep &step = kernel.steps[i];
        const int extreme = extremeOfArgmax(planned, static_cast<int>(i));
        if (extreme >= 0 && std::find(taken.begin(), taken.end(), extreme) == taken.end()) {
            taken.push_back(extreme);
            step.operands = {planned.step(step.operands[0]).operands[1]};
            step.pass = kernel.step(extreme).pass;
            continue;
        }
        step.pass = passesOf(step.op);
        for (const int operand : step.operands)
            step.pass = std::max(step.pass, kernel.step(operand).pass + passesOf(step.op));
    }
    return kernel;
}

} // namespace warpwright
