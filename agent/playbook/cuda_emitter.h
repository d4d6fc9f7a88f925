// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_text.h"

namespace warpwright {

/// One kernel of a plan as CUDA: 16-byte loads, a block a row or a lane a thread, sums by shuffles, and its
/// launcher with a switch over `config`.
[[nodiscard]] QString cudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                               const KernelNames &names, const KernelTuning &tuning);

} // namespace warpwright
