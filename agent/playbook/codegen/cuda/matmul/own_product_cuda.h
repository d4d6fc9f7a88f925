// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// The .cu of a product for which isOwnProduct(): copied by the copy engine, multiplied by wgmma, and
/// finished in registers. For compute capability 9.0; floats are rounded to TF32. The launcher's `config`
/// means nothing.
[[nodiscard]] QString ownProductCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                         const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
