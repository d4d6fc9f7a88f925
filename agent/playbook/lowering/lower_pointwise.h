// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

namespace warpwright {

/// Pointwise operators: torch's words in ours. Refuses what is none.
int lowerPointwise(LoweringContext &context, const NodeAt &at);

} // namespace warpwright
