// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// A depthwise convolution as one generated kernel. `kernel`: a depthwise convolution.
[[nodiscard]] QString depthwiseCudaText(const KernelSource &source);

} // namespace warpwright
