// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/kernel_code.h"

#include <vector>

namespace warpwright {

/// One row of two listings beside each other; -1: that side has no line here.
struct ComparedCode {
    enum class Kind { Same, Changed, Removed, Added };

    Kind kind = Kind::Same;
    int left = -1; ///< number in KernelCode::lines
    int right = -1;

    bool operator==(const ComparedCode &) const = default;
};

/// Aligns two listings by their opcodes (with modifiers and whether they are predicated). Registers and
/// addresses are not looked at: they change with every allocation and say nothing. Labels are left out for
/// the same reason.
[[nodiscard]] std::vector<ComparedCode> compareCode(const KernelCode &before, const KernelCode &after);

} // namespace warpwright
