// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// A sum over a few elements, as a quaternion's length, that one kernel alone reads is worked out there,
/// where that moves clearly less: its elements are read beside it anyway.
void foldShortRows(KernelPlan &plan);

} // namespace warpwright
