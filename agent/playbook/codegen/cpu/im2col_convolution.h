// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// The CPU twin of a convolution, depthwise ones too: BLAS on columns that are gathered in the cache, sums of
/// products by phase where it is transposed, plain loops over rows where each channel has a filter of its
/// own. `kernel`: of Anchor::Convolution.
[[nodiscard]] QString convolutionCpuText(const ReferenceGraph &graph, const Program &program,
                                         const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
