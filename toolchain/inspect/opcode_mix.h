// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/inspect/opcode_class.h"
#include "toolchain/tool_output/kernel_code.h"

#include <array>
#include <utility>
#include <vector>

namespace warpwright {

/// How many instructions of a listing do what. They are counted as they stand: how often each is executed
/// only a profiler knows.
struct OpcodeMix {
    /// "LDG", 128 bits, global: 4 times
    struct Access {
        QString base;
        MemoryAccess access;
        int count = 0;

        bool operator==(const Access &) const = default;
    };

    int total = 0;
    std::array<int, opcodeClassCount> byClass{};
    std::vector<Access> accesses; ///< by space, then the widest first

    [[nodiscard]] int count(OpcodeClass kind) const { return byClass[static_cast<std::size_t>(kind)]; }
    bool operator==(const OpcodeMix &) const = default;
};

/// Of SASS.
[[nodiscard]] OpcodeMix opcodeMixOf(const KernelCode &code);

} // namespace warpwright
