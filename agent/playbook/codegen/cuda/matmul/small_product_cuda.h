// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// A product of a tall matrix with a small one, isSmallProduct(), as one kernel of ours. `kernel`: of
/// Anchor::Product.
[[nodiscard]] QString smallProductCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                           const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
