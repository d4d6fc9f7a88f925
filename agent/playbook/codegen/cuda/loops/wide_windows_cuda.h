// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/schedule/kernel_tuning.h"

namespace warpwright {

/// A kernel of which a thread takes several rows (`rowsOfThread`).
[[nodiscard]] QString wideWindowsCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                          const FusedKernel &kernel, const KernelNames &names,
                                          const KernelTuning &tuning);

} // namespace warpwright
