// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/knobs.h"

namespace warpwright {

/// For kernels of which isColumnScan() is true.
[[nodiscard]] QString columnScanCudaText(const ReferenceGraph &graph, const Program &program,
                                         const Kernel &kernel, const KernelNames &names, const Knobs &knobs);

} // namespace warpwright
