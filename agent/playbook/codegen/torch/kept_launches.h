// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"

namespace warpwright {

/// So many launches that the host takes longer for them than the device does: the binding then keeps all of
/// them as one CUDA graph. By their number alone: loops over time have hundreds, and nothing else comes near.
[[nodiscard]] bool keepsLaunches(const KernelPlan &plan);

/// What the binding needs for that beside its own lines: headers, and what is kept between calls: the struct
/// Memory, which the launches work on, comes before it.
[[nodiscard]] QString keptLaunchesHeaders();
/// `branches`: of launches that go on side by side (branchesOf()), in so many stretches; 1: each waits for
/// the one before.
[[nodiscard]] QString keptLaunchesText(int branches, int stretches);
/// What the launches are given where they are launched one by one: the stream, or all branches on it.
[[nodiscard]] QString onOneStream(int branches);

} // namespace warpwright
