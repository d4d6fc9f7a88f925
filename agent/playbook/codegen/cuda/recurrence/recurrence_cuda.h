// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// A kernel whose turns are all in one launch, as CUDA: states in registers. It has a RecurrenceSharing.
[[nodiscard]] QString recurrenceCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                         std::size_t kernel, const KernelNames &names);

} // namespace warpwright
