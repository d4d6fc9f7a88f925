// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// A turn's product with what is made of it, as one kernel of ours for compute capability 9.0. `kernel`:
/// isTurnProduct().
[[nodiscard]] QString turnProductCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                          const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
