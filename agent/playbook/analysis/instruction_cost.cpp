// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/instruction_cost.h"

#include "agent/playbook/ir/opcode.h"

#include <algorithm>

namespace warpwright {

int costOf(const Kernel &kernel, const KernelStep &step) {
    if (step.op == Opcode::Number || step.level == StepLevel::Constant)
        return 0;
    if (step.op == Opcode::Load)
        return kernel.inputs[static_cast<std::size_t>(step.input)].isPlain() ? 2 : 4;
    return isExpensive(step.op) || step.op == Opcode::Divide ? 8 : 1;
}

bool hasSlowSteps(const Kernel &kernel) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
        switch (step.op) {
        case Opcode::Exp:
        case Opcode::Exp2:
        case Opcode::Tanh:
        case Opcode::Sigmoid:
        case Opcode::Erf:
        case Opcode::Erfc:
        case Opcode::Expm1:
        case Opcode::Log:
        case Opcode::Log1p:
        case Opcode::Log2:
        case Opcode::Log10:
        case Opcode::Sin:
        case Opcode::Cos:
        case Opcode::Atan:
            return false;
        default:
            return isExpensive(step.op);
        }
    });
}

} // namespace warpwright
