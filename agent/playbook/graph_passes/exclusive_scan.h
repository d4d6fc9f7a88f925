// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// A cumprod behind a 1, or a cumsum behind a 0, whose last element is cut off, becomes that number before
/// the scan of the rest without its last element: an exclusive scan, which recomputes nothing.
[[nodiscard]] ReferenceGraph withExclusiveScans(const ReferenceGraph &graph);

} // namespace warpwright
