// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

/// Which sums run online with a row's maximum, and what a thread caches of a row.
namespace warpwright {

constexpr int maxBlockWarps = 32;
constexpr int maxCachedOfWarp = 16; ///< floats of a row for each warp: with more too few warps are resident

/// Whether sums of exponentials are computed online, in one loop with the maximum (`online_softmax`).
[[nodiscard]] bool hasOnlineSoftmax(const Kernel &kernel);
/// Whether there are so many sums that a block combines all of them at once, with a block per row: only
/// per-row stores come after them.
[[nodiscard]] bool canFuseBlockReductions(const Kernel &kernel);
/// The columns of strided sums that are fewer than a warp's threads and all of memory (an attention's heads,
/// innermost); empty: anything else.
[[nodiscard]] std::optional<int> fewNeighbours(const Kernel &kernel);

/// Values per element that a thread caches where all are cached.
[[nodiscard]] int cachedValues(const Kernel &kernel);
/// Registers for a thread's cached part of its row where the warps of a block share its length.
[[nodiscard]] std::int64_t cachedPerWarp(const Kernel &kernel, int warps);
/// Floats of a row that one warp may cache: few columns make small blocks, of which several fit on an SM.
[[nodiscard]] int maxCachedPerWarp(const Kernel &kernel);

} // namespace warpwright
