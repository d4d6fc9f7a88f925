// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// A tall-skinny GEMM (isSkinnyMatmul()) as one generated kernel. `kernel`: a matmul.
[[nodiscard]] QString skinnyMatmulCudaText(const KernelSource &source);

} // namespace warpwright
