// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

namespace warpwright {

/// Pointwise operators that take several steps, or none.
int lowerSpecialPointwise(LoweringContext &context, const GraphNode &node, const AffineMap &map);

} // namespace warpwright
