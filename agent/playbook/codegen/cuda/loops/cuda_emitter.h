// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// A kernel of ours that is no special case as CUDA: 16-byte loads, a block a row or a lane a thread, sums by
/// shuffles, and its launcher with a switch over `config`.
[[nodiscard]] QString fusedCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                    const FusedKernel &kernel, const KernelNames &names,
                                    const KernelTuning &tuning);

} // namespace warpwright
