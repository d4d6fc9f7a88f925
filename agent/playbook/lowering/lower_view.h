// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

namespace warpwright {

/// A node that isView(): its source, through an affine map of the loops or by divisions.
int lowerView(LoweringContext &context, const GraphNode &node, const AffineMap &map);

} // namespace warpwright
