// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// The type that an operator computes in, by torch's promotion of its operands: for comparisons the type of
/// the result does not show it.
[[nodiscard]] ElementType promotedType(const ReferenceGraph &graph, const GraphNode &node);

} // namespace warpwright
