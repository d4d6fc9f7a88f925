// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// The GEMM of an RNN cell with its epilogue, for one time step, as one generated kernel for compute
/// capability 9.0. `kernel`: isCellMatmul().
[[nodiscard]] QString cellMatmulCudaText(const ReferenceGraph &graph, const Program &program,
                                         const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
