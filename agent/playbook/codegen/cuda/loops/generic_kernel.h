// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// A kernel without a writer of its own, as CUDA: 16-byte loads, a row per block or per thread, reductions by
/// shuffles, and its launcher with a switch over `config`.
[[nodiscard]] QString genericKernelCudaText(const KernelSource &source);

} // namespace warpwright
