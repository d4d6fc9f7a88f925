// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

namespace warpwright {

constexpr int scanChunk = 8; ///< elements of a row that a thread takes at a time

/// A scan along long strided rows that are adjacent in memory: the threads of a block share the length of
/// some such rows. Shorter ones take a thread each.
[[nodiscard]] bool isColumnScan(const Kernel &kernel);

/// Adjacent rows of a block, a thread of a warp each: more than 32 where there are enough rows and a thread
/// can prefetch its next elements.
[[nodiscard]] int scanBlockWidth(const Kernel &kernel);
/// Threads that share the length of a row, best expected number first.
[[nodiscard]] std::vector<int> scanWarps(const Kernel &kernel);

/// Inputs per element, if all can be prefetched; empty: an address depends on more than the loops, or there
/// are too many.
[[nodiscard]] std::vector<int> prefetchedScanInputs(const Kernel &kernel);

} // namespace warpwright
