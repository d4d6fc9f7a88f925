// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace warpwright {

/// What the recorder knows of one function of a library whose functions begin with a trap each: a row of a
/// file that both sides map, by ascending address.
struct RecordedFunction {
    uint64_t address = 0;
    unsigned char first = 0; ///< its first byte, before the trap
    unsigned char ran = 0;
    unsigned char unused[6] = {};
};

constexpr unsigned char recorderTrap = 0xcc; ///< int3

constexpr const char *recorderTable = "WARPWRIGHT_RECORDER_TABLE";     ///< environment: the file
constexpr const char *recorderLibrary = "WARPWRIGHT_RECORDER_LIBRARY"; ///< and the end of the library's path

} // namespace warpwright
