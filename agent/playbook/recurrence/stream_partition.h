// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A stretch of a plan's kernels that are launched one after the other: one kernel, or all turns of a loop.
struct ProgramSegment {
    std::size_t first = 0;
    std::size_t count = 1;
    int branch = 0;         ///< stretches of one branch follow each other
    std::vector<int> after; ///< stretches of other branches that it has to wait for
    bool isAwaited = false; ///< by one of another branch

    bool operator==(const ProgramSegment &) const = default;
};

/// The plan's stretches in order, those that do not need each other in different branches: the two directions
/// of a recurrence. One branch where nothing would be gained.
[[nodiscard]] std::vector<ProgramSegment> streamBranchesOf(const Program &program);

/// How many there are.
[[nodiscard]] int streamBranchCount(const std::vector<ProgramSegment> &segments);

} // namespace warpwright
