// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/analysis/view_maps.h"

#include <optional>
#include <vector>

namespace warpwright {

/// The loops of one kernel, and where a node of the given shape is in them.
struct IterationSpace {
    Shape loops;
    std::size_t outer = 0;
    AffineMap map;                    ///< of the node that the space was made for
    std::vector<std::size_t> reduced; ///< its dimensions that are a row; none where rows were appended

    /// One loop becomes two.
    void split(const LoopSplit &asked);
    /// From its last counter to its first.
    void flip(std::size_t k);
    /// The loops that a reduction does not depend on, or that a scan goes along, become its row. False: they
    /// are not of the sizes that it goes over.
    bool makeRows(const std::vector<int> &repeated, const Shape &sizes);
    void appendRows(const Shape &sizes);
};

/// A loop for each dimension, no rows.
[[nodiscard]] IterationSpace loopsOver(const Shape &shape);
/// Where a result of this shape is in the loops that were made for one of the shape `whole`: the same, or of
/// its rows alone. Empty: it is in none.
[[nodiscard]] std::optional<AffineMap> mapOfOtherOutput(const Shape &shape, const Shape &whole,
                                                        const IterationSpace &space);

} // namespace warpwright
