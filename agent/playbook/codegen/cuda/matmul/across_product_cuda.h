// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// The kernel of isAcrossProduct(), for GPUs of compute capability 9.0.
[[nodiscard]] QString acrossProductCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                            const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
