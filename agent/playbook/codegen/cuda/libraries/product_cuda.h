// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// A product as one call of cuBLASLt with its epilogue. `kernel`: of Anchor::Product. `config` of its
/// launcher is which of the library's proposals: 0 to `productProposals` - 1.
[[nodiscard]] QString productCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                      const FusedKernel &kernel, const KernelNames &names,
                                      const KernelTuning &tuning);

constexpr int productProposals = 4;

} // namespace warpwright
