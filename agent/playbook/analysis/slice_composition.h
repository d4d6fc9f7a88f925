// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <optional>

namespace warpwright {

/// A tensor that is a gather from another one, separable by dimension.
struct SliceComposition {
    int node = -1;                                  ///< the source
    std::vector<std::vector<std::int64_t>> indices; ///< by dimension: the source index of each index
};

/// A concatenation, or a tensor written slice by slice (slice_scatter), all of whose elements come from one
/// other tensor: the nearest such. Empty: there is none. `node`: its position in the graph.
[[nodiscard]] std::optional<SliceComposition> sliceCompositionOf(const ReferenceGraph &graph, int node);

/// The range of slice.Tensor on a tensor of this shape, or of slice_scatter: from `start` by `step`.
struct SlicedDimension {
    std::size_t dimension = 0;
    std::int64_t start = 0;
    std::int64_t step = 1;
};
/// `first`: the position of the argument `dim`.
[[nodiscard]] SlicedDimension slicedDimension(const GraphNode &node, const Shape &shape, int first);

} // namespace warpwright
