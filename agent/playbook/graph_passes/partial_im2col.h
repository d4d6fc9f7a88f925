// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Matrix units want channels side by side, and an image of three has few. Where filters are large, the
/// elements that a row of one reaches over become channels of an image of their own, and what is left of the
/// filter is a column: 11 by 11 taps of 3 channels are 11 by 1 of 36, with zeros where nothing is. For images
/// with channels last.
[[nodiscard]] ReferenceGraph withPartialIm2col(const ReferenceGraph &graph);

} // namespace warpwright
