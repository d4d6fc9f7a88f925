// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

#include <set>

namespace warpwright {

/// The launcher of a kernel whose sums go over elements that lie apart: the sums of many neighbours are
/// formed side by side, so that each line of memory is used whole. `functions`: filled with those of ours
/// that it calls.
[[nodiscard]] QString laneLauncher(const ReferenceGraph &graph, const KernelPlan &plan,
                                   const FusedKernel &kernel, const KernelNames &names, bool hasVectorMath,
                                   std::set<QString> &functions);

/// Whether it is one for lanes: its neighbours lie side by side, and it can have them.
[[nodiscard]] bool takesLanes(const FusedKernel &kernel);
/// Whether there are neighbours enough, and tasks enough for several threads.
[[nodiscard]] bool canHaveLanes(const FusedKernel &kernel);
/// Neighbours that one thread takes at once.
[[nodiscard]] std::int64_t lanesOf(const FusedKernel &kernel);

} // namespace warpwright
