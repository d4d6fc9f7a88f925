// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/heat/heat.h"
#include "toolchain/tool_output/kernel_code.h"

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

/// An instruction's address and its SASS as a report prints it.
using CountedCode = std::vector<std::pair<qint64, QString>>;

/// Opcodes are compared without their modifiers, which two disassemblers may write differently.
[[nodiscard]] CodeMatch matchCode(const CountedCode &counted, const KernelCode &listing);

/// What was counted at each line of a listing of the same code; empty: it is another code. What was counted
/// in the filling behind its end stands at its last instruction.
[[nodiscard]] std::vector<HeatCounts> countsByLine(const KernelHeat &kernel, const KernelCode &listing);

/// The opcode of SASS as a report prints it: "@!P1  LDC.64 R40, c[0x0][0x210]" -> "LDC.64".
[[nodiscard]] QStringView opcodeIn(QStringView sass);

} // namespace warpwright
