// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

#include <QString>

namespace warpwright {

/// A convolution whose images, filters and result lie with channels last, for a CPU: a product of matrices
/// for each tap and row of the result, of the memory as it lies.
[[nodiscard]] QString nhwcConvolutionCpuText(const ReferenceGraph &graph, const Program &program,
                                             const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
