// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

#include <optional>

/// Elements of a row that are small structs in memory: a box's four numbers, a point's two.
namespace warpwright {

/// Whether one instruction loads the structs of `width` neighbours, where the input is a field of each: they
/// are at most 16 bytes, aligned, and within the tensor.
[[nodiscard]] bool isStructLoad(const Kernel &kernel, const KernelInput &input, int width);
/// Structs per load, where a kernel that sums along its rows reads nothing else per element: one box, or two
/// points, of floats. A warp then reads contiguous memory with each instruction; with vectors of four boxes
/// it would read every fourth 16 bytes. Empty: it reads something else.
[[nodiscard]] std::optional<int> structsPerLoad(const Kernel &kernel);
/// Elements per access of a thread: structs, or a vector; 1: single elements.
[[nodiscard]] int elementsPerAccess(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
