// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// A temporary whose maker writes the same into a part of another tensor, as a join's is, is read there and
/// not written. Nothing in loops over time.
void readPartsInPlace(KernelPlan &plan);

} // namespace warpwright
