// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

/// How two kernels' loops become the loops of one: what both do with an address of memory says which loop is
/// which.
namespace warpwright {

/// A part of a kernel's loop among the loops of both: `factor` of its counters apart.
struct LoopPart {
    std::size_t loop = 0;
    std::int64_t factor = 1;

    bool operator==(const LoopPart &) const = default;
};

/// By loop of one kernel; a loop of one round has none.
using LoopParts = std::vector<std::vector<LoopPart>>;

struct AlignedLoops {
    Shape loops;
    std::size_t outer = 0;
    LoopParts first;
    LoopParts second;

    bool operator==(const AlignedLoops &) const = default;
};

/// Loops in which both addresses are one, in the order of the first kernel's. Rows stay rows: where the
/// second kernel alone has none, it takes a turn for each row of the first. Empty: there are no such loops.
[[nodiscard]] std::optional<AlignedLoops> alignedLoops(const Kernel &first, const AffineExpr &firstAddress,
                                                       const Kernel &second, const AffineExpr &secondAddress);

/// Loops of a reader, in which the maker of what it reads finds each of its own elements once, and they are
/// those of the reader's rows. Empty: the reader reads some of them, or some of them several times.
[[nodiscard]] std::optional<AlignedLoops> loopsOfConsumer(const Kernel &producer,
                                                          const AffineExpr &producerAddress,
                                                          const Kernel &consumer,
                                                          const AffineExpr &consumerAddress);

/// An index over a kernel's own loops, over the `count` loops of both.
[[nodiscard]] AffineExpr overParts(const AffineExpr &index, const LoopParts &parts, std::size_t count);

} // namespace warpwright
