// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/schedule/knobs.h"

namespace warpwright {

/// For kernels of which isColumnScan() is true.
[[nodiscard]] QString columnScanCudaText(const KernelSource &source);

} // namespace warpwright
