// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

#include <QStringList>

/// What a kernel's loops allow on a GPU: the search space of its moves.
namespace warpwright {

/// Whether any of its loads can be vectorized.
[[nodiscard]] bool canBeVectorized(const Kernel &kernel);
/// The launcher's configs of loops, best expected first: threads per row, warps per column reduction, blocks
/// per SM, elements of a tile.
[[nodiscard]] std::vector<int> genericConfigs(const Kernel &kernel, const Knobs &knobs);
/// Threads per row: a block, or the blocks of a cluster.
[[nodiscard]] std::vector<int> blockPerRowConfigs(const Kernel &kernel, const Knobs &knobs);
/// Threads per block, each with one row.
[[nodiscard]] std::vector<int> threadPerRowConfigs(const Kernel &kernel);
/// Elements per tile of a kernel that has a transposeTileOf().
[[nodiscard]] std::vector<int> transposeTileConfigs(const Kernel &kernel);
/// Among block counts: as many as there is work for, of threads that take two vectors each.
constexpr int twoVectorsPerThread = -2;
/// Elements of a row from which its threads batch the rescaling of an online softmax.
constexpr std::int64_t minBatchedRescalingRow = 512;
/// Labels of `configs`, which are the kernel's: numbers, as a rule.
[[nodiscard]] QStringList configLabels(const Kernel &kernel, const Knobs &knobs,
                                       const std::vector<int> &configs);
constexpr int flatThreads = 256; ///< of a block whose threads take single elements or vectors
/// Whether a thread may take two vectors of a kernel without sums: their number is even and large enough.
[[nodiscard]] bool canTakeTwoVectors(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
