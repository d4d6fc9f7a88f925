// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// The CPU twin of a product, by BLAS in tiles that stay in a core's cache until bias and activation are on
/// them. `kernel`: of Anchor::Product.
[[nodiscard]] QString matmulCpuText(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                                    const KernelNames &names);

} // namespace warpwright
