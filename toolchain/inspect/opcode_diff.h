// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/kernel_code.h"

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

/// Two listings as one: that of `after`, and where it differs what `before` had in its place, before it.
struct MergedListing {
    KernelCode code; ///< lines of `before` have neither address nor place: its source is another
    std::vector<ComparedCode::Kind> kinds; ///< of each line: Same, Removed or Added
    int removed = 0;
    int added = 0;

    bool operator==(const MergedListing &) const = default;
};
[[nodiscard]] MergedListing mergedListing(const KernelCode &before, const KernelCode &after);

} // namespace warpwright
