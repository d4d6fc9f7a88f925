// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// The twin of turnProductCudaText() for a CPU, in plain loops.
[[nodiscard]] QString turnProductCpuText(const ReferenceGraph &graph, const KernelPlan &plan,
                                         const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
