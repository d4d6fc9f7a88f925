// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

namespace warpwright {

constexpr int scanChunk = 8; ///< elements of a row that a thread takes at a time

/// A running sum along long rows whose elements lie far apart, and whose neighbours lie side by side: the
/// threads of a block share the length of some such rows. Shorter ones are a thread's each.
[[nodiscard]] bool isColumnScan(const Kernel &kernel);

/// Rows side by side that a block takes, a thread of a warp each: more than a warp has where there are rows
/// enough for it and a thread can ask for its next elements before it works at these.
[[nodiscard]] int scanBlockWidth(const Kernel &kernel);
/// Threads that share the length of a row, the most promising number first.
[[nodiscard]] std::vector<int> scanWarps(const Kernel &kernel);

/// Leaves of elements, if all can be asked for ahead; empty: where they are hangs on more than the loops, or
/// they are too many.
[[nodiscard]] std::vector<int> prefetchedScanInputs(const Kernel &kernel);

} // namespace warpwright
