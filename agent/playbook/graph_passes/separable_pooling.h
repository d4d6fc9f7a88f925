// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// The largest element of a wide window is the largest of its rows' largest, which windows beside it share:
/// such a pooling becomes two, along the last dimension first, and what is between them lies in memory. Where
/// somebody asks for the places of the extremes, or the windows are too small for that to pay, it stays.
/// `slidesDown`: one kernel has windows that slide down (a GPU's, `sliding_windows_cuda`), where they are not
/// too large for that.
[[nodiscard]] ReferenceGraph withSeparablePooling(const ReferenceGraph &graph, bool slidesDown);

} // namespace warpwright
