// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// Whether a kernel of ours can be a turn's product: the first matrix lies along what is summed over, the
/// second ones at equal distances, and nothing is written where it is read.
[[nodiscard]] bool canBeTurnProduct(const KernelPlan &plan, const FusedKernel &kernel);

/// In each turn of a plan's loops: products of few rows are kernels of ours, with what is made of them by one
/// pointwise kernel or two that follow each other. Of plans with products of ours alone.
void foldTurnProducts(KernelPlan &plan);

} // namespace warpwright
