// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/analysis/view_maps.h"

#include <optional>
#include <vector>

namespace warpwright {

/// The loops of one kernel, and the index map of a node in them.
struct IterationSpace {
    Shape loops;
    std::size_t outer = 0;
    AffineMap map;                    ///< of the node that the space was made for
    std::vector<std::size_t> reduced; ///< its dimensions along inner loops that were not appended

    /// Splits one loop into two.
    void split(const LoopSplit &asked);
    /// Reverses a loop.
    void flip(std::size_t k);
    /// Makes inner loops of those that a reduction does not depend on, or that a scan runs along. False:
    /// their sizes do not match.
    bool makeInnerLoops(const std::vector<int> &repeated, const Shape &sizes);
    void appendInnerLoops(const Shape &sizes);
};

/// An outer loop for each dimension.
[[nodiscard]] IterationSpace loopsOver(const Shape &shape);
/// The map of another output in loops that were made for one of shape `whole`: of the same shape, or reduced
/// over the inner loops. Empty: it is neither.
[[nodiscard]] std::optional<AffineMap> mapOfOtherOutput(const Shape &shape, const Shape &whole,
                                                        const IterationSpace &space);

} // namespace warpwright
