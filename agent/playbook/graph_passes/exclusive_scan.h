// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// The graph with a running product behind a 1, or a running sum behind a 0, of which the last element is cut
/// off, said as that number before what runs along without it: each element is then what came before it, and
/// nobody computes the one before again.
[[nodiscard]] ReferenceGraph withExclusiveScans(const ReferenceGraph &graph);

} // namespace warpwright
