// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Pointwise values that kernels after a library's would compute anew from clearly more memory than the value
/// takes: the state of a cell that was written out turn by turn, whose traffic would grow with each turn. By
/// place, in the order in which they can be made.
[[nodiscard]] std::vector<int> materializedStates(const ReferenceGraph &graph);

} // namespace warpwright
