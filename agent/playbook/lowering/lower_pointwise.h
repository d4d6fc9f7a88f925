// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

namespace warpwright {

/// A pointwise operator as opcodes; refuses others.
int lowerPointwise(LoweringContext &context, const NodeAt &at);

} // namespace warpwright
