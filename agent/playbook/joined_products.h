// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_plan.h"

namespace warpwright {

/// The bare product at `maker`, and all others whose results its only reader alone reads, element by element,
/// as one kernel of ours with that reader: their sums as one, where it only knows what they come to together,
/// or two sums of each element. Whether it can be. The reader stands where it was, the others are gone.
bool joinProducts(KernelPlan &plan, std::size_t maker, std::size_t reader);

} // namespace warpwright
