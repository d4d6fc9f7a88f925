// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The .cu of a GEMM for which isSm90Matmul(): TMA loads, wgmma, epilogue in registers. For compute
/// capability 9.0; floats are rounded to TF32. The launcher ignores `config`.
[[nodiscard]] QString sm90MatmulCudaText(const KernelSource &source);

} // namespace warpwright
