// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

/// Bitwise operators, and wrapping of integers to their type.
namespace warpwright {

/// Of an operator that isBitwise(); on Bool it is logic.
int lowerBitwise(LoweringContext &context, const GraphNode &node, const AffineMap &map);

/// Wraps a result that was computed in 64 bits to the operator's type, as torch does.
int wrapToType(LoweringContext &context, const GraphNode &node, int step);

} // namespace warpwright
