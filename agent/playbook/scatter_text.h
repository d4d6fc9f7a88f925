// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_text.h"

namespace warpwright {

/// Scattered rows as CUDA; sums by an atomic addition for each element, which the memory's own units do.
[[nodiscard]] QString scatterCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                      const FusedKernel &kernel, const KernelNames &names);
/// The same as C++: each thread has rows of the result for its own.
[[nodiscard]] QString scatterCpuText(const ReferenceGraph &graph, const KernelPlan &plan,
                                     const FusedKernel &kernel, const KernelNames &names);

/// The launcher's choices: threads of a block.
[[nodiscard]] std::vector<int> scatterThreads();

} // namespace warpwright
