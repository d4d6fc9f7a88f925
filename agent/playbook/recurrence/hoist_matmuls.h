// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/recurrence/find_loop.h"

namespace warpwright {

/// The graph with what turns multiply, or convolve, of their own inputs done before them, for all turns at
/// once: a cell's `input(x)` is one large product instead of many small ones. The same graph where there is
/// nothing of the kind.
[[nodiscard]] ReferenceGraph hoistMatmuls(const ReferenceGraph &graph, const RecurrentLoop &timeSteps);

} // namespace warpwright
