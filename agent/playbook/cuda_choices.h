// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/fused_kernel.h"
#include "agent/playbook/kernel_tuning.h"

/// What a kernel's loops allow on a GPU: the parameter space that its moves go through.
namespace warpwright {

/// Elements that one load may take: 1 where addresses or sizes do not allow more. Where sums over far
/// elements lie side by side, as many of these a thread.
[[nodiscard]] int widthOf(const FusedKernel &kernel);
/// Whether any of its loads can take several.
[[nodiscard]] bool canBeWide(const FusedKernel &kernel);
/// The loop along which packs lie: the innermost, or that over sums that lie side by side.
[[nodiscard]] std::size_t neighbourLoop(const FusedKernel &kernel);
/// Whether `width` neighbours can be taken at this address.
[[nodiscard]] bool isWide(const FusedKernel &kernel, const AffineIndex &address, int width);
/// Every second, third or fourth element is read, and the packs of `width` around them all are there: as of
/// pairs that lie side by side. So loads take what is between as well, which another leaf often needs. Not of
/// ragged rows.
[[nodiscard]] bool isSpread(const FusedKernel &kernel, const KernelLeaf &leaf, int width);
/// Whether stores there, each second to fourth element, could be gathered in packs with what is between them.
[[nodiscard]] bool isSpreadStore(const FusedKernel &kernel, const AffineIndex &address, int width);
/// Whether its text on a GPU is ours: all of it, or what a library would do as well.
/// Registers of a thread that keeps elements of its row, but for these: an estimate.
[[nodiscard]] std::int64_t keptByThread(const FusedKernel &kernel, int threads);
[[nodiscard]] int registersBesideKept(const FusedKernel &kernel, int width);
[[nodiscard]] bool isOurs(const FusedKernel &kernel);
/// Blocks of a cluster that share a row: as many as every device with clusters has room for.
constexpr int blocksOfCluster = 8;
/// Whether sums of exponentials are formed together with the largest element, in one loop
/// (`running_softmax`).
[[nodiscard]] bool runsAlong(const FusedKernel &kernel);
/// Whether a row is long enough for a cluster, and too long or too rare for blocks of their own.
[[nodiscard]] bool canBeClustered(const FusedKernel &kernel);
/// Whether registers can hold a row, of one block or of a cluster.
[[nodiscard]] bool canBeOnePass(const FusedKernel &kernel, bool isClustered);
/// The step has one value for all neighbours of the innermost loop.
[[nodiscard]] bool isOneForNeighbours(const FusedKernel &kernel, int step);
/// Whether what a Load step finds where another step says is `width` neighbours for a pack: that step is one
/// for all of them, and its rows begin at whole packs.
[[nodiscard]] bool isGatheredPack(const FusedKernel &kernel, const KernelStep &load, int width);

/// The launcher's choices, as `config` names them, the most promising first: threads a row (of each block of
/// a cluster), groups of threads a lane, blocks a multiprocessor, results a thread of a depthwise
/// convolution, rows a thread of a small product, queries a block of attention.
[[nodiscard]] std::vector<int> configChoices(const FusedKernel &kernel, const KernelTuning &tuning);
/// Among numbers of blocks: as many as there is work for, of threads that take two packs each.
constexpr int ofTwoPacks = -2;
/// Elements of a row whose threads take several far from each other at once, where sums run along.
constexpr std::int64_t leastOfRisingRow = 512;
/// A choice in words: its number, as a rule.
[[nodiscard]] QString choiceWord(int choice);
constexpr int flatThreads = 256; ///< of a block whose threads take element by element, or pack by pack
/// Packs of `width` elements that cover a kernel without sums: rows of odd lengths begin and end within one.
[[nodiscard]] std::int64_t packsOf(const FusedKernel &kernel, int width);
/// Whether a thread may take two packs of a kernel without sums: they come out even, and there are enough.
[[nodiscard]] bool canTakeTwoPacks(const FusedKernel &kernel, const KernelTuning &tuning);

} // namespace warpwright
