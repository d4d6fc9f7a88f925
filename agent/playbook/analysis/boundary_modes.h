// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/structured_op.h"

#include <optional>

namespace warpwright {

/// A padded image, however the graph expresses it: rows and columns gathered at constant indices,
/// concatenated from slices of the image, or zeros.
struct PaddedInput {
    int image = -1;                          ///< node: the unpadded image
    Shape before;                            ///< padding before it, by spatial dimension
    std::vector<BoundaryMode> boundaryModes; ///< by spatial dimension; Zeros for one without padding
};

/// The innermost image that this node pads; empty: there is none, or all padding is zeros. `node`: [N, C,
/// spatial...], one to three spatial dimensions.
[[nodiscard]] std::optional<PaddedInput> paddedInputOf(const ReferenceGraph &graph, int node);

/// The keyword argument `edges` of a convolution with its boundary modes; empty: zeros on all sides.
[[nodiscard]] std::pair<QString, GraphArgument>
boundaryArgument(const std::vector<BoundaryMode> &boundaryModes);
[[nodiscard]] std::vector<BoundaryMode> boundaryModesOf(const GraphNode &convolution);

} // namespace warpwright
