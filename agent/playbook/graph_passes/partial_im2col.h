// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Tensor cores need many channels innermost, and an image of three has few. For large filters, the elements
/// under one filter row become channels of a new image (partial im2col), and the filter becomes a column: 11
/// by 11 taps of 3 channels are 11 by 1 of 36, zero-padded. For NHWC.
[[nodiscard]] ReferenceGraph withPartialIm2col(const ReferenceGraph &graph);

} // namespace warpwright
