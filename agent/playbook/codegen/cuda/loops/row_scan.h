// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/knobs.h"
#include "agent/playbook/schedule/row_scan.h"

namespace warpwright {

/// For kernels that rowScanOf() accepts.
[[nodiscard]] QString rowScanCudaText(const ReferenceGraph &graph, const Program &program,
                                      const Kernel &kernel, const KernelNames &names, const Knobs &knobs);

} // namespace warpwright
