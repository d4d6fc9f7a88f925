// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// A turn's product with what is made of it, as one kernel of ours for compute capability 9.0. `kernel`:
/// isCellMatmul().
[[nodiscard]] QString cellMatmulCudaText(const ReferenceGraph &graph, const Program &program,
                                         const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
