// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/device/shared_memory.h"

#include <ATen/core/Tensor.h>

namespace warpwright {

/// The tensor that a worker described, seen in the judge's own mapping of that worker's heap; no bytes are
/// copied.
///
/// Throws Fault("run-failed") for a description that does not lie within the memory, has negative strides,
/// more than 64 dimensions or an unknown dtype: the worker is not believed.
at::Tensor tensorAt(const Json &node, uint64_t base, uint64_t bytes, MemoryKind kind);
/// The same, in a worker's heap, which may have gaps.
at::Tensor tensorAt(const Json &node, const WorkerArena &arena);

} // namespace warpwright
