// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

namespace warpwright {

/// A node that isView: what it looks at, where the loops follow it, or by divisions.
int lowerView(LoweringContext &context, const GraphNode &node, const AffineMap &map);

} // namespace warpwright
