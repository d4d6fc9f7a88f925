// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Common subexpression elimination: equal operators on equal operands, such as an image that two branches
/// pad, become one node.
[[nodiscard]] ReferenceGraph eliminateCommonSubexpressions(const ReferenceGraph &graph);

} // namespace warpwright
