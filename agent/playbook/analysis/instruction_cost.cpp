// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/instruction_cost.h"

#include "agent/playbook/ir/kernel_op.h"

#include <algorithm>

namespace warpwright {

int costOf(const FusedKernel &kernel, const KernelStep &step) {
    if (step.op == KernelOp::Number || step.level == StepLevel::Constant)
        return 0;
    if (step.op == KernelOp::Load)
        return kernel.leaves[static_cast<std::size_t>(step.leaf)].isPlain() ? 2 : 4;
    return isExpensive(step.op) || step.op == KernelOp::Divide ? 8 : 1;
}

bool hasSlowSteps(const FusedKernel &kernel) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
        switch (step.op) {
        case KernelOp::Exponential:
        case KernelOp::ExponentialOf2:
        case KernelOp::HyperbolicTangent:
        case KernelOp::Sigmoid:
        case KernelOp::ErrorFunction:
        case KernelOp::ErrorFunctionLeft:
        case KernelOp::ExponentialLess1:
        case KernelOp::Logarithm:
        case KernelOp::Logarithm1Plus:
        case KernelOp::LogarithmOf2:
        case KernelOp::LogarithmOf10:
        case KernelOp::Sine:
        case KernelOp::Cosine:
        case KernelOp::ArcTangens:
            return false;
        default:
            return isExpensive(step.op);
        }
    });
}

} // namespace warpwright
