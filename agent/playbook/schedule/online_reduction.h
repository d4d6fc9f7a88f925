// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

/// Which sums run along with a row's largest element, and what a thread keeps of a row.
namespace warpwright {

constexpr int maxBlockWarps = 32;
constexpr int maxCachedOfWarp = 16; ///< floats of a row for each group: more leave nobody at work

/// Whether sums of exponentials are formed together with the largest element, in one loop
/// (`running_softmax`).
[[nodiscard]] bool hasOnlineSoftmax(const Kernel &kernel);
/// Whether there are so many sums that the threads of a row meet once for all of them, in blocks of a row
/// each: nothing comes after them but what is written once a row.
[[nodiscard]] bool canFuseBlockReductions(const Kernel &kernel);
/// Sums over far elements whose neighbours are fewer than a warp's threads, and all of memory: an attention's
/// heads, innermost. Their number; empty: it is something else.
[[nodiscard]] std::optional<int> fewNeighbours(const Kernel &kernel);

/// Values of each element that a thread keeps where all are kept.
[[nodiscard]] int cachedValues(const Kernel &kernel);
/// Registers for what a thread keeps of its row where the warps of a block share the length of it.
[[nodiscard]] std::int64_t cachedPerWarp(const Kernel &kernel, int warps);
/// Floats of a row that one of a block's groups may keep: few neighbours make small blocks, of which several
/// lie on a multiprocessor.
[[nodiscard]] int maxCachedPerWarp(const Kernel &kernel);

} // namespace warpwright
