// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// What an operator on these tensors computes in: torch's own promotion has chosen the result's type, but for
/// comparisons, whose result says nothing of it.
[[nodiscard]] ElementType promotedType(const ReferenceGraph &graph, const GraphNode &node);

} // namespace warpwright
