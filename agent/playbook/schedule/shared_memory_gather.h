// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// Rows that gather from a segment of their own in a data-dependent order: permuted columns of a matrix,
/// points in an image. A warp's load from as many lines as threads takes L1 32 cycles, shared memory three or
/// four. So a block takes a row, and copies its segment to shared memory first.
struct SharedMemoryGather {
    std::vector<int> inputs; ///< that read the segment, all of one buffer
    AffineExpr begin;        ///< where a row's segment begins, in elements of the buffer
    std::int64_t elements = 0;
    int bytesOfElement = 4;
    int rows = 1; ///< of a block: they share one order, which is read once for them

    [[nodiscard]] bool holds(int input) const;
    [[nodiscard]] bool hasRows() const { return rows > 1; }
    /// Of a block.
    [[nodiscard]] std::int64_t bytes() const { return rows * elements * bytesOfElement; }
    /// More than every GPU gives a block without opting in.
    [[nodiscard]] bool isLarge() const { return bytes() > 48 * 1024; }
};

/// Empty where a kernel gathers nothing, or a segment exceeds the shared memory of a block on the kernel's
/// device, or is used too little.
[[nodiscard]] std::optional<SharedMemoryGather> sharedMemoryGatherOf(const Kernel &kernel);
/// Threads of a block.
[[nodiscard]] std::vector<int> gatherThreads(const SharedMemoryGather &gather);

} // namespace warpwright
