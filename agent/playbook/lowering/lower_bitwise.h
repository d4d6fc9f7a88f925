// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

/// Operators on bits, and what is left of whole numbers in the type that they have.
namespace warpwright {

/// Of an operator that isBitwise; of truths it is logic.
int lowerBitwise(LoweringContext &context, const GraphNode &node, const AffineMap &map);

/// What the type of an operator's result holds of what was computed in 64 bits, as torch has it: the rest is
/// gone.
int wrapToType(LoweringContext &context, const GraphNode &node, int step);

} // namespace warpwright
