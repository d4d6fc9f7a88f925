// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_plan.h"

namespace warpwright {

/// Takes kernels apart that join what others have computed, part by part: who computes a part writes it where
/// it belongs. At most one part, which nobody computes, keeps a kernel of its own.
void foldJoins(KernelPlan &plan);

} // namespace warpwright
