// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// Where one kernel goes through all turns of a loop with its states in registers, what a kernel afterwards
/// makes of each of the states it leaves is made by the turn itself: a pass over all of them less, and nobody
/// writes them.
void foldTurnReaders(KernelPlan &plan);

} // namespace warpwright
