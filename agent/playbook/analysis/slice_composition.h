// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <optional>

namespace warpwright {

/// A tensor each of whose elements is one of another tensor, found dimension by dimension.
struct SliceComposition {
    int node = -1;                                  ///< the other one
    std::vector<std::vector<std::int64_t>> indices; ///< for each dimension: where in it each place is found
};

/// A tensor that is joined of parts, or written piece by piece (slice_scatter), where all of that was read
/// from one other tensor: the nearest such. Empty: there is none. `node`: its place in the graph.
[[nodiscard]] std::optional<SliceComposition> sliceCompositionOf(const ReferenceGraph &graph, int node);

/// What slice.Tensor takes of a tensor of this shape, or slice_scatter writes: `step` apart from `start` on.
struct SlicedDimension {
    std::size_t dimension = 0;
    std::int64_t start = 0;
    std::int64_t step = 1;
};
/// `first`: which argument is the dimension.
[[nodiscard]] SlicedDimension slicedDimension(const GraphNode &node, const Shape &shape, int first);

} // namespace warpwright
