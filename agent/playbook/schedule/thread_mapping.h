// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

namespace warpwright {

/// How threads are mapped to a kernel's loops.
enum class MappingMode {
    Flat,               ///< single elements or vectors, as many at a time as there are threads
    BlockPerRow,        ///< one block per row
    ColumnReduction,    ///< a warp's threads take adjacent rows, several warps share their length
    ColumnScan,         ///< the same for scans along the rows
    ThreadPerRow,       ///< one thread per row
    ThreadPerRowVector, ///< one thread per vector of adjacent rows
    SlidingWindow,      ///< one thread for some rows below each other that share elements
    TransposeTiles,     ///< one block per tile, read along one loop and written along another
};

struct ThreadMapping {
    MappingMode mode = MappingMode::Flat;
    bool isPersistent = false;     ///< a row stays in registers
    bool isClustered = false;      ///< the blocks of a cluster share a row
    bool hasShortRows = false;     ///< some configs give a block several rows
    int shortRowThreads = 256;     ///< of such a block
    int elementsPerThread = 1;     ///< elements per thread, where they are no vector
    bool usesSharedGather = false; ///< a block copies the segment that its row gathers from to shared memory
    bool hasTwoVectors = false;    ///< some configs give a thread two vectors
    int sums = 1;                  ///< ColumnReduction: adjacent sums per thread, a vector of them
    int blockWidth = 32;           ///< ColumnReduction: adjacent sums per block, along block.x
    bool prefetchesLoads = false;  ///< a loop over vectors: its loads are in flight together
    /// Per thread: loads of several tensors are in flight together.
    bool hasManyRegisters = false;
    /// A loop over vectors: only the last one's bounds are checked at run time.
    bool predicatesOnlyLast = false;
    /// A loop over elements: online sums are rescaled once for several.
    bool batchesRescaling = false;
    /// A block combines all sums of a row at once, and one thread goes on with them.
    bool fusesBlockReductions = false;

    bool operator==(const ThreadMapping &) const = default;
};
[[nodiscard]] ThreadMapping threadMappingOf(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
