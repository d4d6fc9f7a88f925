// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/thread_mapping.h"

namespace warpwright {

/// The comment above the kernel (its formula, and the `rationale`: why its threads share the work as they
/// do), and includes.
[[nodiscard]] QString cudaHead(const Kernel &kernel, const KernelNames &names, const QString &rationale);

/// "__global__ void __launch_bounds__(THREADS)" and what stands before it.
[[nodiscard]] QString cudaBounds(const ThreadMapping &mapping);
/// The kernel's name and parameters up to its body, wrapped, indented by four.
[[nodiscard]] QString cudaSignature(const ReferenceGraph &graph, const Program &program,
                                    const KernelNames &names);

/// Type of a vector's index: a 32-bit division takes a quarter of the time of a 64-bit one.
[[nodiscard]] QString vecIndexType(const Kernel &kernel, int width);
/// The sizes that the kernel is written for. `width`: elements that a thread takes at once.
[[nodiscard]] QString cudaConstants(const Kernel &kernel, const ThreadMapping &mapping, int width);

} // namespace warpwright
