// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

#include <set>

namespace warpwright {

/// The launcher of a reduction over elements that are far apart: adjacent sums are accumulated side by side,
/// so that each cache line is used whole. `functions`: collects the helper functions that it calls.
[[nodiscard]] QString columnReductionLauncher(const KernelSource &source, std::set<QString> &functions);

/// Whether it is a column reduction: adjacent rows are contiguous in memory, and it can tile them.
[[nodiscard]] bool isColumnReduction(const Kernel &kernel);
/// Whether there are enough adjacent columns, and enough tiles for several threads.
[[nodiscard]] bool canTileColumns(const Kernel &kernel);
/// Adjacent columns per thread.
[[nodiscard]] std::int64_t tileWidthOf(const Kernel &kernel);

} // namespace warpwright
