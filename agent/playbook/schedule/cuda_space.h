// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

#include <QStringList>

/// What a kernel's loops allow on a GPU: the parameter space that its moves go through.
namespace warpwright {

/// Whether any of its loads can take several.
[[nodiscard]] bool canBeVectorized(const Kernel &kernel);
/// Whether its text on a GPU is ours: all of it, or what a library would do as well.
[[nodiscard]] bool isOurs(const Kernel &kernel);

/// The launcher's choices, as `config` names them, the most promising first: threads a row, groups of threads
/// a lane, blocks a multiprocessor, results a thread of a depthwise convolution, rows a thread of a small
/// product, queries a block of attention.
[[nodiscard]] std::vector<int> configSpace(const Kernel &kernel, const Knobs &knobs);
/// Those of scattered rows: threads of a block.
[[nodiscard]] std::vector<int> scatterThreads();
/// Among numbers of blocks: as many as there is work for, of threads that take two packs each.
constexpr int twoVectorsPerThread = -2;
/// Elements of a row whose threads take several far from each other at once, where sums run along.
constexpr std::int64_t minBatchedRescalingRow = 512;
/// The same in words: numbers, as a rule.
[[nodiscard]] QStringList configLabels(const Kernel &kernel, const Knobs &knobs);
constexpr int flatThreads = 256; ///< of a block whose threads take element by element, or pack by pack
/// Whether a thread may take two packs of a kernel without sums: they come out even, and there are enough.
[[nodiscard]] bool canTakeTwoVectors(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
