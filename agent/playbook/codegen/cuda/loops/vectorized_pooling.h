// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/schedule/knobs.h"

namespace warpwright {

/// For kernels whose threads take several rows each (rowsPerThread()).
[[nodiscard]] QString vectorizedPoolingCudaText(const KernelSource &source);

} // namespace warpwright
