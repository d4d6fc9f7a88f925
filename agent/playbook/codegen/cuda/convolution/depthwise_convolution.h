// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// A convolution in which each channel has filters of its own, as one kernel of ours. `kernel`: of
/// Anchor::Convolution, depthwise.
[[nodiscard]] QString depthwiseCudaText(const ReferenceGraph &graph, const Program &program,
                                        const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
