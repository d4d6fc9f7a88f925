// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// Rows that look up elements of a segment of their own, in an order that only values tell: columns of a
/// matrix in another order, points in an image. A warp's load of 32 places in as many lines takes the first
/// cache 32 turns, and shared memory three or four. So a block takes a row, and brings its segment there
/// first.
struct SharedMemoryGather {
    std::vector<int> inputs; ///< that read the segment, all of one buffer
    AffineExpr begin;        ///< where a row's segment begins, in elements of the buffer
    std::int64_t elements = 0;
    int bytesOfElement = 4;
    int rows = 1; ///< that a block takes together: they look up in one order, which is read once for them

    [[nodiscard]] bool holds(int input) const;
    [[nodiscard]] bool hasRows() const { return rows > 1; }
    /// Of a block.
    [[nodiscard]] std::int64_t bytes() const { return rows * elements * bytesOfElement; }
    /// More than every GPU gives a block unasked.
    [[nodiscard]] bool isLarge() const { return bytes() > 48 * 1024; }
};

/// Nothing where a kernel looks nothing up, or a segment does not fit into the 227 KiB of shared memory that
/// a block has from compute capability 9.0 on, or is not used enough.
[[nodiscard]] std::optional<SharedMemoryGather> sharedMemoryGatherOf(const Kernel &kernel);
/// Threads of a block.
[[nodiscard]] std::vector<int> gatherThreads(const SharedMemoryGather &gather);

} // namespace warpwright
