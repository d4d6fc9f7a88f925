// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// A product of a tall matrix with a small one, isSkinnyMatmul(), as one kernel of ours. `kernel`: of
/// Anchor::Product.
[[nodiscard]] QString skinnyMatmulCudaText(const ReferenceGraph &graph, const Program &program,
                                           const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
