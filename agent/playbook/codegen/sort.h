// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

/// Sorted rows as text.
namespace warpwright {

/// As CUDA: a bitonic network over a row; each thread has some entries in registers.
[[nodiscard]] QString sortCudaText(const KernelSource &source);
/// The same as C++: one thread per row.
[[nodiscard]] QString sortCpuText(const KernelSource &source);

} // namespace warpwright
