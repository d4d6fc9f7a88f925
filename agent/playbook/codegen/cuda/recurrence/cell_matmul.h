// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// The GEMM of an RNN cell with its epilogue, for one time step, as one generated kernel for compute
/// capability 9.0. `kernel`: isCellMatmul().
[[nodiscard]] QString cellMatmulCudaText(const KernelSource &source);

} // namespace warpwright
