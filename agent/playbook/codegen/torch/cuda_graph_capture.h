// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Whether the host takes longer for all launches than the device does: the binding then captures them once
/// as a CUDA graph. Decided by their number alone: loops over time have hundreds, nothing else comes near.
[[nodiscard]] bool usesCudaGraph(const Program &program);

/// The graph's part of the binding: headers, and the state between calls. The struct Memory, whose buffers
/// the launches use, comes before it.
[[nodiscard]] QString cudaGraphHeaders();
/// `branches`: of concurrent launches (streamBranchesOf()), in so many segments; 1: all in order.
[[nodiscard]] QString cudaGraphText(int branches, int segments);
/// Argument of the launches without a graph: the stream, or all branches on it.
[[nodiscard]] QString onOneStream(int branches);

} // namespace warpwright
