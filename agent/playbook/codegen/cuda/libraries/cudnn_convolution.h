// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// A convolution as one call of cuDNN, with bias and ReLU where the kernel has them. `kernel`: of
/// Anchor::Convolution, not depthwise. `config` of its launcher is which of the library's algorithms.
[[nodiscard]] QString cudnnConvolutionCudaText(const ReferenceGraph &graph, const Program &program,
                                               const Kernel &kernel, const KernelNames &names,
                                               const Knobs &knobs);

} // namespace warpwright
