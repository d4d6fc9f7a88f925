// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/schedule/knobs.h"
#include "agent/playbook/schedule/row_scan.h"

namespace warpwright {

/// For kernels that rowScanOf() accepts.
[[nodiscard]] QString rowScanCudaText(const KernelSource &source);

} // namespace warpwright
