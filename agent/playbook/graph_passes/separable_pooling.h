// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Max pooling is separable: a wide window's maximum is that of its rows' maxima, which adjacent windows
/// share. Such a pooling becomes two, along the last dimension first, with the intermediate in memory. Kept
/// as it is if argmax indices are requested, or if windows are too small for that to pay.
/// `usesSlidingWindow`: one kernel slides windows down a column (on GPUs, `sliding_window`), if they are not
/// too large.
[[nodiscard]] ReferenceGraph withSeparablePooling(const ReferenceGraph &graph, bool usesSlidingWindow);

} // namespace warpwright
