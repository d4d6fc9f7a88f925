// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

/// How two kernels' loops become those of one: loops are matched by their strides in a buffer that both
/// access.
namespace warpwright {

/// One of the fused loops as a part of a kernel's own loop: the loop's counter advances by `factor` for each.
struct LoopPart {
    std::size_t loop = 0;
    std::int64_t factor = 1;

    bool operator==(const LoopPart &) const = default;
};

/// By loop of one kernel; a loop of one iteration has none.
using LoopParts = std::vector<std::vector<LoopPart>>;

struct AlignedLoops {
    Shape loops;
    std::size_t outer = 0;
    LoopParts first;
    LoopParts second;

    bool operator==(const AlignedLoops &) const = default;
};

/// Loops in which both addresses are equal, in the order of the first kernel's. Rows stay rows: a second
/// kernel without rows gets one iteration for each row of the first. Empty: there are no such loops.
[[nodiscard]] std::optional<AlignedLoops> alignedLoops(const Kernel &first, const AffineExpr &firstAddress,
                                                       const Kernel &second, const AffineExpr &secondAddress);

/// The consumer's loops, where they visit each element that the producer stores exactly once, and in no other
/// loops. Empty: some elements are read not at all or several times.
[[nodiscard]] std::optional<AlignedLoops> loopsOfConsumer(const Kernel &producer,
                                                          const AffineExpr &producerAddress,
                                                          const Kernel &consumer,
                                                          const AffineExpr &consumerAddress);

/// An index by a kernel's own loops, rewritten by the `count` fused loops.
[[nodiscard]] AffineExpr overParts(const AffineExpr &index, const LoopParts &parts, std::size_t count);

} // namespace warpwright
