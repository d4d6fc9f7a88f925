// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/recurrence/find_loop.h"

namespace warpwright {

/// The graph with matmuls and convolutions of time steps' own inputs hoisted out of the loop, for all time
/// steps at once: a cell's `input(x)` is one large matmul instead of many small ones. The same graph where
/// there are none.
[[nodiscard]] ReferenceGraph hoistMatmuls(const ReferenceGraph &graph, const RecurrentLoop &loop);

} // namespace warpwright
