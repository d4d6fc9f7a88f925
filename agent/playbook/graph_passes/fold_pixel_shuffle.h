// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Where a convolution's channels become pixels (pixel_shuffle), its filters in such an order that the
/// channels that are left lie innermost: with channels last the shuffle is then read in runs, where it took
/// every fourth element. Filters are brought into an order anyway.
[[nodiscard]] ReferenceGraph withFoldedPixelShuffles(const ReferenceGraph &graph);

} // namespace warpwright
