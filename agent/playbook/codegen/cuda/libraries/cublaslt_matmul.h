// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// A GEMM as one call of cuBLASLt with its epilogue. `kernel`: a matmul. `config` of its
/// launcher selects one of the library's proposals: 0 to `cublasLtProposals` - 1.
[[nodiscard]] QString cublasLtMatmulCudaText(const KernelSource &source);

constexpr int cublasLtProposals = 4;

} // namespace warpwright
