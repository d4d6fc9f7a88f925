// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpwright {

/// A library's table for unwinding (.eh_frame) and its code (.text), by their addresses before it is loaded.
struct FrameTable {
    std::span<const unsigned char> records;
    uint64_t address = 0;
    uint64_t codeAddress = 0, codeBytes = 0;
};

struct CodeFrame {
    uint64_t address = 0, bytes = 0;
    bool isFragment = false; ///< see ElfFunction
};

/// The code that a library says how to unwind, by ascending address: what a stripped library still tells of
/// its functions. None where the table is of another kind.
std::vector<CodeFrame> framesOf(const FrameTable &table);

} // namespace warpwright
