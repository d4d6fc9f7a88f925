// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/ir/fused_kernel.h"

#include <QStringList>

#include <optional>

namespace warpwright {

/// Rows that look up elements of a segment of their own, in an order that only values tell: columns of a
/// matrix in another order, points in an image. A warp's load of 32 places in as many lines takes the first
/// cache 32 turns, and shared memory three or four. So a block takes a row, and brings its segment there
/// first.
struct StagedGather {
    std::vector<int> leaves; ///< that read the segment, all of one buffer
    AffineIndex begin;       ///< where a row's segment begins, in elements of the buffer
    std::int64_t elements = 0;
    int bytesOfElement = 4;
    int rows = 1; ///< that a block takes together: they look up in one order, which is read once for them

    [[nodiscard]] bool holds(int leaf) const;
    [[nodiscard]] bool hasRows() const { return rows > 1; }
    /// Of a block.
    [[nodiscard]] std::int64_t bytes() const { return rows * elements * bytesOfElement; }
    /// More than every GPU gives a block unasked.
    [[nodiscard]] bool isLarge() const { return bytes() > 48 * 1024; }
};

/// Nothing where a kernel looks nothing up, or a segment does not fit into the 227 KiB of shared memory that
/// a block has from compute capability 9.0 on, or is not used enough.
[[nodiscard]] std::optional<StagedGather> stagedGatherOf(const FusedKernel &kernel);
/// Threads of a block.
[[nodiscard]] std::vector<int> stagingThreads(const StagedGather &staged);

/// Lines that bring the segment of a row into `staged`, by a block of THREADS; `begin`: the text of where it
/// begins.
[[nodiscard]] QStringList stagingLines(const StagedGather &staged, const FusedKernel &kernel,
                                       const KernelNames &names, const QString &begin);
/// "staged[7]", of several rows "staged[ofBlock * 4096 + 7]": what the leaf reads of it, but for what its
/// operands count.
[[nodiscard]] QString stagedElement(const StagedGather &staged, const KernelLeaf &leaf);

} // namespace warpwright
