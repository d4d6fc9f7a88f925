// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// The CPU twin of a convolution: im2col tiles in the cache and BLAS; for transposed ones a GEMM per tap of a
/// phase; for depthwise ones plain loops over rows. `kernel`: a convolution.
[[nodiscard]] QString convolutionCpuText(const KernelSource &source);

} // namespace warpwright
