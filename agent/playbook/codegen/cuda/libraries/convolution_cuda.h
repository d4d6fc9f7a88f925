// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// A convolution as one call of cuDNN, with bias and ReLU where the kernel has them. `kernel`: of
/// Anchor::Convolution, not depthwise. `config` of its launcher is which of the library's algorithms.
[[nodiscard]] QString convolutionCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                          const FusedKernel &kernel, const KernelNames &names,
                                          const KernelTuning &tuning);

} // namespace warpwright
