// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Bytes that torch moves when each operator is a kernel of its own: every operand read, every result
/// written.
[[nodiscard]] double unfusedBytes(const ReferenceGraph &graph);
[[nodiscard]] int unfusedKernels(const ReferenceGraph &graph);

} // namespace warpwright
