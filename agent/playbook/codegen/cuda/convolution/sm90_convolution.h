// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The .cu of a convolution for which isSm90Convolution(): TMA loads, wgmma, epilogue in registers. Floats
/// are rounded to TF32.
[[nodiscard]] QString sm90ConvolutionCudaText(const KernelSource &source);

} // namespace warpwright
