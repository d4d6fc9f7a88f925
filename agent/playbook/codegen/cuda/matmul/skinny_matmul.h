// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// A tall-skinny GEMM (isSkinnyMatmul()) as one generated kernel. `kernel`: a matmul.
[[nodiscard]] QString skinnyMatmulCudaText(const ReferenceGraph &graph, const Program &program,
                                           const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
