// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Permutes the filters before a pixel_shuffle so that the remaining channels are innermost: with NHWC the
/// shuffle then reads contiguous runs instead of every fourth element. Filters are permuted anyway.
[[nodiscard]] ReferenceGraph withFoldedPixelShuffles(const ReferenceGraph &graph);

} // namespace warpwright
