// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/kernel_code.h"

namespace warpwright {

/// Whether the code that was counted is the code of a listing, instruction by instruction. What is counted
/// behind the listing's end is the filling of the kernel's last 128 bytes: a jump to itself, at which warps
/// stand that wait for their stores before they end, and NOPs.
struct CodeMatch {
    bool isSame = false;
    QString why; ///< "instruction 12 is FFMA there and IMAD here"; empty where it is the same
    /// For each counted instruction its line in the listing; what lies behind the end has the last one.
    std::vector<int> lines;
};

/// Opcodes are compared without their modifiers, which two disassemblers may write differently.
[[nodiscard]] CodeMatch matchCode(const std::vector<InstructionCounters> &counted, const KernelCode &listing);

/// The opcode of SASS as a report prints it: "@!P1  LDC.64 R40, c[0x0][0x210]" -> "LDC.64".
[[nodiscard]] QString opcodeIn(const QString &sass);

} // namespace warpwright
