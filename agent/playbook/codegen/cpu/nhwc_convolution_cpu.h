// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

#include <QString>

namespace warpwright {

/// An NHWC convolution for a CPU: a GEMM for each tap and row of the result, on the memory as it lies.
[[nodiscard]] QString nhwcConvolutionCpuText(const KernelSource &source);

} // namespace warpwright
