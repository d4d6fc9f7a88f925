// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/knobs.h"
#include "agent/playbook/schedule/row_scan.h"

namespace warpwright {

/// A kernel that rowScanOf() takes.
[[nodiscard]] QString rowScanCudaText(const ReferenceGraph &graph, const Program &program,
                                      const Kernel &kernel, const KernelNames &names, const Knobs &knobs);

} // namespace warpwright
