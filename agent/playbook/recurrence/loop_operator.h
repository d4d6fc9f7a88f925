// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/recurrence/find_loop.h"
#include "toolchain/base/result.h"

namespace warpwright {

/// The first loop that the reader has left as one operator, warpwright.loop: its states, what its turns are
/// given parts of (turns first), what all of them read, how many there are, and one of them as a graph's
/// text. Empty: there is none. An error: the turn is no graph, or one that cannot be planned.
[[nodiscard]] std::optional<Result<RecurrentLoop>> findLoopOperator(const ReferenceGraph &graph);

} // namespace warpwright
