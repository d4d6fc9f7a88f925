// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// The same graph, where zeros around an image are left to the convolution that reads it, which knows of them
/// without a copy: as many before as behind; of a depthwise one also when they differ. Of another one also
/// when fewer are behind, as in causal ones: then it makes a few results too many, and who reads it does not
/// look at them. A depthwise one also knows of images that go on beyond their borders: mirrored, repeated or
/// around (`boundaryModesOf`).
[[nodiscard]] ReferenceGraph withFoldedPadding(const ReferenceGraph &graph);

} // namespace warpwright
