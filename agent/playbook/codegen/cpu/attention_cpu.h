// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// The CPU twin of attention: a query's scores stay in the cache. `kernel`: of Anchor::Attention.
[[nodiscard]] QString attentionCpuText(const ReferenceGraph &graph, const KernelPlan &plan,
                                       const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
