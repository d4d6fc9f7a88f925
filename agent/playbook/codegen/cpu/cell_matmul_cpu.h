// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// The twin of cellMatmulCudaText() for a CPU, in plain loops.
[[nodiscard]] QString cellMatmulCpuText(const ReferenceGraph &graph, const Program &program,
                                        const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
