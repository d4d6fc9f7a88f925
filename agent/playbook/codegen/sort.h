// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

/// Sorted rows as text.
namespace warpwright {

/// As CUDA: a bitonic network over a row, some entries of which each thread has in registers.
[[nodiscard]] QString sortCudaText(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                                   const KernelNames &names);
/// The same as C++: a thread takes a row.
[[nodiscard]] QString sortCpuText(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                                  const KernelNames &names);

} // namespace warpwright
