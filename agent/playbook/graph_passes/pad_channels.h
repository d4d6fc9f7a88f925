// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// With NHWC, tensor core kernels load 16 bytes of channels at once: an image of three channels, as in a
/// network's first layer, is padded to four with zeros, and so are the filters. Only these convolutions'
/// operands change.
[[nodiscard]] ReferenceGraph withPaddedChannels(const ReferenceGraph &graph);

} // namespace warpwright
