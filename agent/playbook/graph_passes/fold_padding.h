// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Leaves zero padding of an image to the convolution that reads it, which needs no padded copy: equal
/// padding before and after; for a depthwise one also unequal. For others also less after than before, as in
/// causal ones: then it computes a few more results, which a slice drops. A depthwise one also takes other
/// boundary modes: reflect, replicate, circular (`boundaryModesOf`).
[[nodiscard]] ReferenceGraph withFoldedPadding(const ReferenceGraph &graph);

} // namespace warpwright
