// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

/// How many elements one load takes, and whether registers hold a row.
namespace warpwright {

/// Elements that one load may take: 1 where addresses or sizes do not allow more. Of strided sums that are
/// adjacent, as many sums a thread.
[[nodiscard]] int widthOf(const Kernel &kernel);
/// Registers per thread for its cached part of a row, with so many threads in one block; uncachedRegisters():
/// its others, an estimate. `width`: elements of a vector.
[[nodiscard]] std::int64_t cachedPerThread(const Kernel &kernel, int threads);
/// Whether so many blocks' threads have registers for a row; and how many threads of such blocks an SM then
/// has room for.
[[nodiscard]] bool registersHold(const Kernel &kernel, int threads, int blocks);
[[nodiscard]] std::int64_t threadsAtOnce(const Kernel &kernel, int threads, int blocks);
/// How many such blocks an SM has room for.
[[nodiscard]] std::int64_t blocksAtOnce(const Kernel &kernel, int threads, int blocks, int width);
[[nodiscard]] int uncachedRegisters(const Kernel &kernel, int width);
/// Whether registers can hold a row, of one block or of a cluster.
[[nodiscard]] bool canBePersistent(const Kernel &kernel, bool isClustered);

} // namespace warpwright
