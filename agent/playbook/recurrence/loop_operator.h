// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/recurrence/find_loop.h"
#include "toolchain/base/result.h"

namespace warpwright {

/// The first loop that the reader has left as one operator, warpwright.loop: its states, sliced inputs (time
/// first), invariant inputs, the number of time steps, and one of them as a graph's text. Empty: there is
/// none. An error: the time step is no graph, or cannot be planned.
[[nodiscard]] std::optional<Result<RecurrentLoop>> findLoopOperator(const ReferenceGraph &graph);

} // namespace warpwright
