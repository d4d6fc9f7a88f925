// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"

namespace warpwright {

/// Whether this operator only reindexes its first argument.
[[nodiscard]] bool isView(const GraphNode &node);
/// Whether it only changes the shape: the row-major order of elements stays.
[[nodiscard]] bool isReshape(const GraphNode &node);

/// Composes `map`, an index into the view by the counters of `loops`, with the view: an index into its
/// argument. Empty: not affine; `split` is then the loop to split.
[[nodiscard]] std::optional<AffineMap> throughView(const ReferenceGraph &graph, const GraphNode &view,
                                                   const AffineMap &map, const Shape &loops,
                                                   std::optional<LoopSplit> &split);
/// The same for getitem of split_with_sizes and of unbind.
[[nodiscard]] std::optional<AffineMap> throughSplit(const ReferenceGraph &graph, const GraphNode &splitting,
                                                    int item, const AffineMap &map, const Shape &loops);

/// The index into an operand of shape `from`, given that into a result of shape `to`: sizes of 1 broadcast.
[[nodiscard]] AffineMap broadcastMap(const AffineMap &map, const Shape &from, const Shape &to,
                                     std::size_t loops);

/// A dimension counted from the front; torch may count from the back.
[[nodiscard]] std::size_t dimensionOf(double number, std::size_t dimensions);

} // namespace warpwright
