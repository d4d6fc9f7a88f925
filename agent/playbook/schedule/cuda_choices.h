// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/fused_kernel.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/kernel_tuning.h"
#include "agent/playbook/schedule/packs_of_rows.h"

#include <QStringList>

#include <optional>

/// What a kernel's loops allow on a GPU: the parameter space that its moves go through.
namespace warpwright {

/// Elements that one load may take: 1 where addresses or sizes do not allow more. Where sums over far
/// elements lie side by side, as many of these a thread.
[[nodiscard]] int widthOf(const FusedKernel &kernel);
/// Whether any of its loads can take several.
[[nodiscard]] bool canBeWide(const FusedKernel &kernel);
/// Registers for what a thread keeps of its row, of so many threads in one block; and the others of a thread
/// that keeps some: an estimate. `width`: elements of a pack.
[[nodiscard]] std::int64_t keptByThread(const FusedKernel &kernel, int threads);
/// Whether so many blocks' threads have registers for a row; and how many threads of such blocks a
/// multiprocessor then has room for.
[[nodiscard]] bool registersHold(const FusedKernel &kernel, int threads, int blocks);
[[nodiscard]] std::int64_t threadsAtOnce(const FusedKernel &kernel, int threads, int blocks);
[[nodiscard]] int registersBesideKept(const FusedKernel &kernel, int width);
/// Whether its text on a GPU is ours: all of it, or what a library would do as well.
[[nodiscard]] bool isOurs(const FusedKernel &kernel);
/// Whether sums of exponentials are formed together with the largest element, in one loop
/// (`running_softmax`).
[[nodiscard]] bool runsAlong(const FusedKernel &kernel);
/// Whether there are so many sums that the threads of a row meet once for all of them, in blocks of a row
/// each: nothing comes after them but what is written once a row.
[[nodiscard]] bool meetsOnceForSums(const FusedKernel &kernel);
/// Whether a row is long enough for a cluster, and too long or too rare for blocks of their own.
[[nodiscard]] bool canBeClustered(const FusedKernel &kernel);
/// Whether registers can hold a row, of one block or of a cluster.
[[nodiscard]] bool canBeOnePass(const FusedKernel &kernel, bool isClustered);
/// Sums over far elements whose neighbours are fewer than a warp's threads, and all of memory: an attention's
/// heads, innermost. Their number; empty: it is something else.
[[nodiscard]] std::optional<int> fewNeighbours(const FusedKernel &kernel);

/// The launcher's choices, as `config` names them, the most promising first: threads a row, groups of threads
/// a lane, blocks a multiprocessor, results a thread of a depthwise convolution, rows a thread of a small
/// product, queries a block of attention.
[[nodiscard]] std::vector<int> configChoices(const FusedKernel &kernel, const KernelTuning &tuning);
/// Among numbers of blocks: as many as there is work for, of threads that take two packs each.
constexpr int ofTwoPacks = -2;
/// Elements of a row whose threads take several far from each other at once, where sums run along.
constexpr std::int64_t leastOfRisingRow = 512;
/// The same in words: numbers, as a rule.
[[nodiscard]] QStringList choiceWords(const FusedKernel &kernel, const KernelTuning &tuning);
constexpr int flatThreads = 256; ///< of a block whose threads take element by element, or pack by pack
/// Whether a thread may take two packs of a kernel without sums: they come out even, and there are enough.
[[nodiscard]] bool canTakeTwoPacks(const FusedKernel &kernel, const KernelTuning &tuning);

} // namespace warpwright
