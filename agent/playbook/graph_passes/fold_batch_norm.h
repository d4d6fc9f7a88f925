// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// The graph with factors and offsets of channels, an inference batch norm's for one, folded into the filters
/// and the bias of the convolution before them: (w * x) s + t = (s w) * x + t, for all parameters, and for
/// all convolutions that can have their channels last. Filters are scaled at each call, in the copy of them
/// that is made anyway; so where they are more than the results nothing is done. Of two that are added the
/// one gets the offsets of both.
[[nodiscard]] ReferenceGraph withFoldedBatchNorms(const ReferenceGraph &graph);

} // namespace warpwright
