// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/schedule/kernel_tuning.h"
#include "agent/playbook/schedule/sliding_windows.h"

namespace warpwright {

/// Whether its threads take windows below each other, and not side by side in packs.
[[nodiscard]] bool slidesDown(const FusedKernel &kernel, const KernelTuning &tuning);

[[nodiscard]] QString slidingWindowsCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                             const FusedKernel &kernel, const KernelNames &names,
                                             const KernelTuning &tuning);

} // namespace warpwright
