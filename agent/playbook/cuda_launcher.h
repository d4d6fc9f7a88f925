// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_text.h"

namespace warpwright {

/// The extern "C" function that starts a CUDA kernel, with a switch over `config`.
[[nodiscard]] QString cudaLauncher(const ReferenceGraph &graph, const KernelPlan &plan,
                                   const FusedKernel &kernel, const KernelNames &names,
                                   const KernelTuning &tuning);

} // namespace warpwright
