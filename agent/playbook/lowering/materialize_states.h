// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Pointwise values that kernels after a library call would recompute from clearly more memory than the value
/// takes: the state of an unrolled cell, whose traffic would grow with each time step. By node, in the order
/// of computation.
[[nodiscard]] std::vector<int> materializedStates(const ReferenceGraph &graph);

} // namespace warpwright
