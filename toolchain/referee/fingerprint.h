// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/channel.h"
#include "referee/shared_memory.h"

namespace warpwright {

/// What `bytes` bytes at `base` come to: two numbers, equal for equal bytes within one run of the judge. On a
/// CUDA device each word has a secret weight, so that nobody else can change words and keep the sum.
Json fingerprint(uint64_t base, uint64_t bytes, MemoryKind kind);

} // namespace warpwright
