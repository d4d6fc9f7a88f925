// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

/// Sums, products, extremes and moments over dimensions.
namespace warpwright {

int lowerReduction(LoweringContext &context, const NodeAt &at);
int lowerMoment(LoweringContext &context, const NodeAt &at, bool isVariance);

} // namespace warpwright
