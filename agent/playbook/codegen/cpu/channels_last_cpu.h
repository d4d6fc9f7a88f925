// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

#include <QString>

namespace warpwright {

/// A convolution whose images, filters and result lie with channels last, for a CPU: a product of matrices
/// for each tap and row of the result, of the memory as it lies.
[[nodiscard]] QString channelsLastCpuText(const ReferenceGraph &graph, const KernelPlan &plan,
                                          const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
