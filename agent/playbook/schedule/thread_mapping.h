// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

namespace warpwright {

/// How threads share a kernel's loops.
enum class MappingMode {
    Flat,               ///< element by element, as many at a time as there are threads
    BlockPerRow,        ///< one block, one row
    ColumnReduction,    ///< a warp's threads take neighbouring rows, several warps share their length
    ColumnScan,         ///< the same for what runs along the rows
    ThreadPerRow,       ///< one thread, one row
    ThreadPerRowVector, ///< one thread, some rows that lie side by side
    SlidingWindow,      ///< one thread, some rows that lie below each other and have elements in common
    TransposeTiles,     ///< one block, one tile, that is read along one loop and written along another
};

struct ThreadMapping {
    MappingMode mode = MappingMode::Flat;
    bool isPersistent = false;     ///< registers hold a row
    bool isClustered = false;      ///< the blocks of a cluster share a row
    bool hasShortRows = false;     ///< some choices of the launcher give a block several rows
    int shortRowThreads = 256;     ///< of such a block
    int elementsPerThread = 1;     ///< elements that a thread works at, where they are no pack
    bool usesSharedGather = false; ///< a block has what its row looks up in shared memory
    bool hasTwoVectors = false;    ///< some choices of the launcher give a thread two packs
    int sums = 1;                  ///< ColumnReduction: neighbours that a thread takes, a pack of them
    int blockWidth = 32;           ///< ColumnReduction: neighbours of a block, side by side in memory
    bool prefetchesLoads = false;  ///< a loop over packs: its loads are on their way together
    /// A thread: loads of several tensors are on their way together.
    bool hasManyRegisters = false;
    /// A loop over packs: whether one is the row's is known when compiled, but for the last.
    bool predicatesOnlyLast = false;
    /// A loop over elements: a row's largest one so far rises to several at a time.
    bool batchesRescaling = false;
    /// A block's threads meet once for all sums of a row, and one goes on with them.
    bool fusesBlockReductions = false;

    bool operator==(const ThreadMapping &) const = default;
};
[[nodiscard]] ThreadMapping threadMappingOf(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
