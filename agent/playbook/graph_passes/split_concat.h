// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// The graph with joins of many tensors as joins of joins: an element of a kernel asks which part it is of,
/// and with dozens to ask for that takes longer than another launch.
[[nodiscard]] ReferenceGraph withSplitConcats(const ReferenceGraph &graph);

} // namespace warpwright
