// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Consecutive kernels of a program: one, or all time steps of a loop.
struct ProgramSegment {
    std::size_t first = 0;
    std::size_t count = 1;
    int branch = 0;         ///< segments of one branch run in order
    std::vector<int> after; ///< segments of other branches to wait for
    bool isAwaited = false; ///< by one of another branch

    bool operator==(const ProgramSegment &) const = default;
};

/// The program's segments in order, independent ones in different branches (streams): the two directions of a
/// recurrence. One branch where nothing would be gained.
[[nodiscard]] std::vector<ProgramSegment> streamBranchesOf(const Program &program);

/// How many branches there are.
[[nodiscard]] int streamBranchCount(const std::vector<ProgramSegment> &segments);

} // namespace warpwright
