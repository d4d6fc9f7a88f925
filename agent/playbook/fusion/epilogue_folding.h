// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// Where a library's result is read by one pointwise kernel alone, and that kernel only copies it, adds a
/// bias or another tensor, applies an activation that the library has: the library does it itself, and the
/// kernel is gone.
void foldEpilogues(KernelPlan &plan);

/// The same for the one kernel at `reader`, a part of a join with channels last for example; whether it is
/// gone.
bool foldEpilogueOfReader(KernelPlan &plan, std::size_t reader);

} // namespace warpwright
