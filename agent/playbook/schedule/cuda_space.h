// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

#include <QStringList>

/// What a kernel's loops allow on a GPU: the search space of its moves.
namespace warpwright {

/// Whether any of its loads can be vectorized.
[[nodiscard]] bool canBeVectorized(const Kernel &kernel);
/// Whether we generate its CUDA text, as a whole or in place of a library's kernel.
[[nodiscard]] bool isOurs(const Kernel &kernel);

/// The launcher's configs, best expected first: threads per row, warps per column reduction, blocks per SM,
/// results per thread of a depthwise convolution, rows per thread of a skinny matmul, queries per block of
/// attention.
[[nodiscard]] std::vector<int> configSpace(const Kernel &kernel, const Knobs &knobs);
/// Those of scattered rows: threads per block.
[[nodiscard]] std::vector<int> scatterThreads();
/// Among block counts: as many as there is work for, of threads that take two vectors each.
constexpr int twoVectorsPerThread = -2;
/// Elements of a row from which its threads batch the rescaling of an online softmax.
constexpr std::int64_t minBatchedRescalingRow = 512;
/// Labels of configSpace(): numbers, as a rule.
[[nodiscard]] QStringList configLabels(const Kernel &kernel, const Knobs &knobs);
constexpr int flatThreads = 256; ///< of a block whose threads take single elements or vectors
/// Whether a thread may take two vectors of a kernel without sums: their number is even and large enough.
[[nodiscard]] bool canTakeTwoVectors(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
