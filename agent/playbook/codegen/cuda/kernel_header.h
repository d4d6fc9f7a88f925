// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/thread_mapping.h"

namespace warpwright {

/// What stands above the kernel: its formula, why its threads share the work as they do, includes.
[[nodiscard]] QString cudaHead(const Kernel &kernel, const KernelNames &names, const ThreadMapping &mapping);

/// "__global__ void __launch_bounds__(THREADS)" and what stands before it.
[[nodiscard]] QString cudaBounds(const ThreadMapping &mapping);
/// The kernel's name and parameters as far as its body, four columns in, in lines.
[[nodiscard]] QString cudaSignature(const ReferenceGraph &graph, const Program &program,
                                    const KernelNames &names);

/// Of the number of a pack: a division of 32 bits takes a quarter of the time of one of 64.
[[nodiscard]] QString vecIndexType(const Kernel &kernel, int width);
/// Sizes that the kernel was written for. `width`: elements that a thread takes at once.
[[nodiscard]] QString cudaConstants(const Kernel &kernel, const ThreadMapping &mapping, int width);

} // namespace warpwright
