// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwright {

/// What the recorder knows of one function of a library whose functions begin with a trap each: a row of a
/// file that both sides map, by library and ascending address.
struct RecordedFunction {
    uint64_t address = 0;
    unsigned char first = 0; ///< its first byte, before the trap
    unsigned char ran = 0;
    unsigned char library = 0; ///< its place in the list of libraries
    unsigned char unused[5] = {};
};

constexpr size_t mostLibraries = 64;

constexpr unsigned char recorderTrap = 0xcc; ///< int3

constexpr const char *recorderTable = "WARPWRIGHT_RECORDER_TABLE"; ///< environment: the file
/// And the ends of the libraries' paths, with colons between them.
constexpr const char *recorderLibraries = "WARPWRIGHT_RECORDER_LIBRARIES";

} // namespace warpwright
