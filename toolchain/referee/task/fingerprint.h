// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/device/shared_memory.h"

namespace warpwright {

/// What `bytes` bytes at `base` come to: a number, equal for equal bytes within one run of the judge, under a
/// key that nobody else knows (KeyedHash). The same on a CPU and on a device.
Json fingerprint(uint64_t base, uint64_t bytes, MemoryKind kind);

} // namespace warpwright
