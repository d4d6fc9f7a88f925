// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Splits concatenations of many tensors into nested ones: a kernel branches per element on the part, and
/// with dozens of parts that takes longer than another launch.
[[nodiscard]] ReferenceGraph withSplitConcats(const ReferenceGraph &graph);

} // namespace warpwright
