// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/schedule/thread_mapping.h"

namespace warpwright {

/// What stands above the kernel: its formula, why its threads share the work as they do, includes.
[[nodiscard]] QString cudaHead(const FusedKernel &kernel, const KernelNames &names,
                               const CudaSharing &sharing);

/// "__global__ void __launch_bounds__(THREADS)" and what stands before it.
[[nodiscard]] QString cudaBounds(const CudaSharing &sharing);
/// The kernel's name and parameters as far as its body, four columns in, in lines.
[[nodiscard]] QString cudaSignature(const ReferenceGraph &graph, const KernelPlan &plan,
                                    const KernelNames &names);

/// Of the number of a pack: a division of 32 bits takes a quarter of the time of one of 64.
[[nodiscard]] QString packType(const FusedKernel &kernel, int width);
/// Sizes that the kernel was written for. `width`: elements that a thread takes at once.
[[nodiscard]] QString cudaConstants(const FusedKernel &kernel, const CudaSharing &sharing, int width);

} // namespace warpwright
