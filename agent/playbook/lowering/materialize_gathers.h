// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <vector>

namespace warpwright {

/// What is looked up, small, and added to or multiplied with each of many larger parts, as a table of places'
/// biases with each window's scores: nodes that are better in memory once, as they are read, than looked up
/// anew for each part. In the graph's order.
[[nodiscard]] std::vector<int> materializedGathers(const ReferenceGraph &graph);

} // namespace warpwright
