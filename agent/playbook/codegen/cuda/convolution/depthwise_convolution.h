// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// A depthwise convolution as one generated kernel. `kernel`: a depthwise convolution.
[[nodiscard]] QString depthwiseCudaText(const ReferenceGraph &graph, const Program &program,
                                        const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
