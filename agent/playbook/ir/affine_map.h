// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <compare>
#include <optional>

/// Element indices as affine functions of loop counters: what a chain of views becomes when it is composed
/// down to the memory that it views.
namespace warpwright {

/// offset + sum of steps[k] * counter k.
struct AffineExpr {
    std::int64_t offset = 0;
    std::vector<std::int64_t> steps;

    auto operator<=>(const AffineExpr &) const = default;
};

/// One index for each dimension of a value.
using AffineMap = std::vector<AffineExpr>;

/// A loop to be split in two before a view is affine: trip counts `size / inner` and `inner`.
struct LoopSplit {
    int loop = 0;
    std::int64_t inner = 1;

    bool operator==(const LoopSplit &) const = default;
};

/// Dimension d is indexed by loop d.
[[nodiscard]] AffineMap identityMap(std::size_t dimensions, std::size_t loops);
[[nodiscard]] AffineExpr constantIndex(std::int64_t offset, std::size_t loops);
/// Sum of strides[d] * map[d].
[[nodiscard]] AffineExpr linearize(const AffineMap &map, const Shape &strides, std::int64_t offset);

/// The inverse: a flat index as one index per dimension of `shape`. Empty: these are not affine in the
/// counters; `split` is then set if splitting a loop would help.
[[nodiscard]] std::optional<AffineMap> delinearize(const AffineExpr &flat, const Shape &shape,
                                                   const Shape &loops, std::optional<LoopSplit> &split);

/// Its smallest and largest value over loops of these sizes.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> rangeOf(const AffineExpr &index, const Shape &loops);

} // namespace warpwright
