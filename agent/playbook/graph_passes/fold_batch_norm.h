// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Folds factors and offsets per channel (inference batch norm, say) into the filters and bias of the
/// convolution before: (w * x) s + t = (s w) * x + t, for all parameters, and for all convolutions that can
/// be NHWC. Filters are scaled in each forward, in the copy that is made anyway; so nothing is done if they
/// are larger than the result. Of two convolutions that are added, one gets both offsets.
[[nodiscard]] ReferenceGraph withFoldedBatchNorms(const ReferenceGraph &graph);

} // namespace warpwright
