// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// One kernel of a program as C++ for a CPU: OpenMP over rows, loops over a row that the compiler vectorizes,
/// with partial sums per SIMD lane.
[[nodiscard]] QString genericKernelCpuText(const KernelSource &source);

/// Whether the choice changes the kernel's text.
[[nodiscard]] bool canStreamResults(const Kernel &kernel);

} // namespace warpwright
