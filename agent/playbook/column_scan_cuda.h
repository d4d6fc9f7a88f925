// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_text.h"
#include "agent/playbook/kernel_tuning.h"

namespace warpwright {

/// A running sum along long rows whose elements lie far apart, and whose neighbours lie side by side: the
/// threads of a block share the length of 32 such rows. Shorter ones are a thread's each.
[[nodiscard]] bool isColumnScan(const FusedKernel &kernel);

[[nodiscard]] QString columnScanCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                         const FusedKernel &kernel, const KernelNames &names,
                                         const KernelTuning &tuning);

} // namespace warpwright
