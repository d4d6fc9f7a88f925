// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/fused_kernel.h"
#include "agent/playbook/schedule/kernel_tuning.h"

namespace warpwright {

/// How threads share a kernel's loops.
enum class CudaMode {
    Flat,           ///< element by element, as many at a time as there are threads
    BlockOfRow,     ///< one block, one row
    LanesOfRows,    ///< a warp's threads take neighbouring rows, several warps share their length
    LanesOfScan,    ///< the same for what runs along the rows
    ThreadOfRow,    ///< one thread, one row
    PackOfRows,     ///< one thread, some rows that lie side by side
    SlidingWindows, ///< one thread, some rows that lie below each other and have elements in common
    Tiles,          ///< one block, one tile, that is read along one loop and written along another
};

struct CudaSharing {
    CudaMode mode = CudaMode::Flat;
    bool isOnePass = false;    ///< registers hold a row
    bool isClustered = false;  ///< the blocks of a cluster share a row
    bool hasShortRows = false; ///< some choices of the launcher give a block several rows
    int threadsOfShorts = 256; ///< of such a block
    int together = 1;          ///< elements that a thread works at, where they are no pack
    bool isStaged = false;     ///< a block has what its row looks up in shared memory
    bool hasTwoPacks = false;  ///< some choices of the launcher give a thread two packs
    int sums = 1;              ///< LanesOfRows: neighbours that a thread takes, a pack of them
    int lanes = 32;            ///< LanesOfRows: neighbours of a block, side by side in memory
    bool loadsAhead = false;   ///< a loop over packs: its loads are on their way together
    /// A thread: loads of several tensors are on their way together.
    bool hasManyRegisters = false;
    /// A loop over packs: whether one is the row's is known when compiled, but for the last.
    bool onlyLastAsks = false;
    /// A loop over elements: a row's largest one so far rises to several at a time.
    bool risesAtOnce = false;
    /// A block's threads meet once for all sums of a row, and one goes on with them.
    bool meetsOnce = false;

    bool operator==(const CudaSharing &) const = default;
};
[[nodiscard]] CudaSharing cudaSharingOf(const FusedKernel &kernel, const KernelTuning &tuning);

} // namespace warpwright
