// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// One kernel of a plan as C++ for a CPU: OpenMP over rows, loops over a row that the compiler makes vector
/// code of, sums with a partial one for each lane.
[[nodiscard]] QString cpuText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                              const KernelNames &names, const KernelTuning &tuning);

/// Whether the choice changes the kernel's text.
[[nodiscard]] bool canStreamResults(const FusedKernel &kernel);

} // namespace warpwright
