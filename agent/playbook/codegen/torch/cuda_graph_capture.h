// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// So many launches that the host takes longer for them than the device does: the binding then keeps all of
/// them as one CUDA graph. By their number alone: loops over time have hundreds, and nothing else comes near.
[[nodiscard]] bool usesCudaGraph(const Program &program);

/// What the binding needs for that beside its own lines: headers, and what is kept between calls: the struct
/// Memory, which the launches work on, comes before it.
[[nodiscard]] QString cudaGraphHeaders();
/// `branches`: of launches that go on side by side (streamBranchesOf()), in so many stretches; 1: each waits
/// for the one before.
[[nodiscard]] QString cudaGraphText(int branches, int segments);
/// What the launches are given where they are launched one by one: the stream, or all branches on it.
[[nodiscard]] QString onOneStream(int branches);

} // namespace warpwright
