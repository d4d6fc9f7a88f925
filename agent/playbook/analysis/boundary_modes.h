// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/structured_op.h"

#include <optional>

namespace warpwright {

/// An image with more around it, as a graph says it in whatever words: rows and columns that are looked up at
/// places of small sums, joined from the image's own ends, or zeros.
struct PaddedInput {
    int image = -1; ///< node: what is inside
    Shape before;   ///< elements before it, along each dimension of space
    std::vector<BoundaryMode>
        boundaryModes; ///< of each dimension of space; one without more around it has zeros
};

/// What this node is an image with more around it of, the innermost such image; empty: of none, or only zeros
/// are around. `node`: [images, channels, space...], one to three dimensions of space.
[[nodiscard]] std::optional<PaddedInput> paddedInputOf(const ReferenceGraph &graph, int node);

/// The argument of a convolution that says its `edges`, and what it says; none: zeros on all sides.
[[nodiscard]] std::pair<QString, GraphArgument>
boundaryArgument(const std::vector<BoundaryMode> &boundaryModes);
[[nodiscard]] std::vector<BoundaryMode> boundaryModesOf(const GraphNode &convolution);

} // namespace warpwright
