// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel_plan.h"

#include <set>

namespace warpwright {

/// Convolutions that a kernel of ours is expected to finish, see canBeOwnConvolution(): they get their image
/// with channels last where others lie by rows. One group, several taps, filters and channels for the matrix
/// units, and loops that read the result. None where there are no kernels of ours, or where images have
/// channels last anyway.
[[nodiscard]] std::set<int> finishedConvolutions(const ReferenceGraph &graph, const PlanChoices &choices);

} // namespace warpwright
