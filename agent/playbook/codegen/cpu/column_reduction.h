// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

#include <set>

namespace warpwright {

/// The launcher of a kernel whose sums go over elements that lie apart: the sums of many neighbours are
/// formed side by side, so that each line of memory is used whole. `functions`: filled with those of ours
/// that it calls.
[[nodiscard]] QString columnReductionLauncher(const ReferenceGraph &graph, const Program &program,
                                              const Kernel &kernel, const KernelNames &names,
                                              bool hasVectorMath, std::set<QString> &functions);

/// Whether it is one for lanes: its neighbours lie side by side, and it can have them.
[[nodiscard]] bool isColumnReduction(const Kernel &kernel);
/// Whether there are neighbours enough, and tasks enough for several threads.
[[nodiscard]] bool canTileColumns(const Kernel &kernel);
/// Neighbours that one thread takes at once.
[[nodiscard]] std::int64_t tileWidthOf(const Kernel &kernel);

} // namespace warpwright
