// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Where channels are to lie innermost, the matrix units load 16 bytes of them at once: an image of three
/// channels, as a network's first layer has it, gets a fourth one of zeros, and so do the filters. The same
/// graph but for these convolutions, whose operands are padded before.
[[nodiscard]] ReferenceGraph withPaddedChannels(const ReferenceGraph &graph);

} // namespace warpwright
