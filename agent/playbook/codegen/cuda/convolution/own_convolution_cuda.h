// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// The .cu of a convolution for which isOwnConvolution(): copied by the copy engine, multiplied by wgmma, and
/// finished in registers. Floats are rounded to TF32.
[[nodiscard]] QString ownConvolutionCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                             const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
