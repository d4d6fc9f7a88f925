// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"

namespace warpwright {

/// Whether this operator only looks at its first argument's elements in another order.
[[nodiscard]] bool isView(const GraphNode &node);
/// Whether it only gives them other sizes: in the order of the rows they are the same.
[[nodiscard]] bool isReshape(const GraphNode &node);

/// Where an element of a view lies in what it looks at. `map`: the place in the view, by the counters of
/// `loops`. Empty: no affine function; `split` then says which loop should be two.
[[nodiscard]] std::optional<AffineMap> throughView(const ReferenceGraph &graph, const GraphNode &view,
                                                   const AffineMap &map, const Shape &loops,
                                                   std::optional<LoopSplit> &split);
/// The same for getitem of split_with_sizes and of unbind.
[[nodiscard]] std::optional<AffineMap> throughSplit(const ReferenceGraph &graph, const GraphNode &splitting,
                                                    int item, const AffineMap &map, const Shape &loops);

/// An operand of `from` shape where the result of `to` shape is: sizes of 1 stand for any.
[[nodiscard]] AffineMap broadcastMap(const AffineMap &map, const Shape &from, const Shape &to,
                                     std::size_t loops);

/// Counted from the front, also where torch counts from the back.
[[nodiscard]] std::size_t dimensionOf(double number, std::size_t dimensions);

} // namespace warpwright
