// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

/// Sorted rows as text.
namespace warpwright {

/// As CUDA: a bitonic network over a row; each thread has some entries in registers.
[[nodiscard]] QString sortCudaText(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                                   const KernelNames &names);
/// The same as C++: one thread per row.
[[nodiscard]] QString sortCpuText(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                                  const KernelNames &names);

} // namespace warpwright
