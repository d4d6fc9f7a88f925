// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <compare>
#include <optional>

/// Where an element is found, as a function of the loops' counters: what views come to when they are pushed
/// down to the memory that they look at.
namespace warpwright {

/// offset + sum of steps[k] * counter k.
struct AffineExpr {
    std::int64_t offset = 0;
    std::vector<std::int64_t> steps;

    auto operator<=>(const AffineExpr &) const = default;
};

/// One index for each dimension of a value.
using AffineMap = std::vector<AffineExpr>;

/// A loop that has to become two before a view can be followed: of counters `size / inner` and `inner`.
struct LoopSplit {
    int loop = 0;
    std::int64_t inner = 1;

    bool operator==(const LoopSplit &) const = default;
};

/// Each dimension by a loop of its own.
[[nodiscard]] AffineMap identityMap(std::size_t dimensions, std::size_t loops);
[[nodiscard]] AffineExpr constantIndex(std::int64_t offset, std::size_t loops);
/// Sum of strides[d] * map[d].
[[nodiscard]] AffineExpr linearize(const AffineMap &map, const Shape &strides, std::int64_t offset);

/// The digits of a flat index in `shape`. Empty: they are no affine functions of the counters; then `split`
/// is set where a loop that becomes two would help.
[[nodiscard]] std::optional<AffineMap> delinearize(const AffineExpr &flat, const Shape &shape,
                                                   const Shape &loops, std::optional<LoopSplit> &split);

/// Its smallest and its largest value, over loops of these sizes.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> rangeOf(const AffineExpr &index, const Shape &loops);

} // namespace warpwright
