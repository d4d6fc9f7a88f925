// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// The CPU twin of cellMatmulCudaText(), in plain loops.
[[nodiscard]] QString cellMatmulCpuText(const KernelSource &source);

} // namespace warpwright
