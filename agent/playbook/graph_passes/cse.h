// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// The same graph, where what is said twice of the same operands, as an image that two branches pad, is one
/// node.
[[nodiscard]] ReferenceGraph eliminateCommonSubexpressions(const ReferenceGraph &graph);

} // namespace warpwright
