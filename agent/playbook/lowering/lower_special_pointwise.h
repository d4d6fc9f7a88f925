// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

namespace warpwright {

/// Pointwise operators that are several steps, or none: of each it says which.
int lowerSpecialPointwise(LoweringContext &context, const GraphNode &node, const AffineMap &map);

} // namespace warpwright
