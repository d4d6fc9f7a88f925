// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// A convolution as one call of cuDNN, with the kernel's epilogue. `kernel`: a convolution,
/// not depthwise. `config` of its launcher selects one of the library's proposals.
[[nodiscard]] QString cudnnConvolutionCudaText(const KernelSource &source);

} // namespace warpwright
