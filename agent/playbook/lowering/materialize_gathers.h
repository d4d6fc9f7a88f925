// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <vector>

namespace warpwright {

/// Small gathers that are broadcast into much larger pointwise operators (position biases added to attention
/// scores): nodes that are better materialized once, as they are read, than gathered for each use. In graph
/// order.
[[nodiscard]] std::vector<int> materializedGathers(const ReferenceGraph &graph);

} // namespace warpwright
