// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace warpwright {

/// What a worker's arena says to the judge when it must grow, on a socket of its own so that a kernel's
/// allocation in any thread never mixes with the messages of the main thread. The answer carries the memory's
/// descriptor.
struct GrowRequest {
    uint32_t magic; ///< growMagic
    uint32_t reserved;
    uint64_t bytes; ///< wanted at least
};

struct GrowAnswer {
    uint32_t magic;   ///< growMagic
    uint32_t granted; ///< 1 with a descriptor beside it, 0 when the device has no more
    uint64_t bytes;   ///< granted, or what is still free
    uint64_t offset;  ///< in the arena, where the memory is to be mapped
};

constexpr uint32_t growMagic = 0x57574d32; // "WWM2"

/// Address space kept for one arena, in the judge and in the worker: far more than any device has memory.
constexpr uint64_t arenaAddressBytes = uint64_t{1} << 40;

} // namespace warpwright
