// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_plan.h"

namespace warpwright {

/// Where a library's result is read by one pointwise kernel alone, and that kernel only copies it, adds a
/// bias, applies ReLU or GELU in its tanh form: the library does it itself, and the kernel is gone.
void foldEpilogues(KernelPlan &plan);

} // namespace warpwright
