// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

#include <optional>

/// Elements of a row that are groups side by side in memory: a box's four numbers, a point's two.
namespace warpwright {

/// Whether one instruction loads all that lies from the first of `width` neighbours to behind the last, where
/// the leaf is a place of each: their groups are at most 16 bytes, aligned, and all of them are there.
[[nodiscard]] bool isStructLoad(const Kernel &kernel, const KernelInput &input, int width);
/// Elements whose groups a thread's load brings, where a kernel that sums along its rows reads nothing else
/// for each: one box, two points, of floats. So a warp's threads read a stretch of memory by each
/// instruction; by packs of four boxes each instruction finds every fourth 16 bytes. Empty: it reads
/// something else.
[[nodiscard]] std::optional<int> structsPerLoad(const Kernel &kernel);
/// Elements that a thread takes at once: these, or a pack of neighbours; 1: one by one.
[[nodiscard]] int elementsPerAccess(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
