// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/history/iteration.h"

#include <QString>

#include <vector>

namespace warpwright {

/// A line of the tree of iterations as a terminal draws it.
struct TreeRow {
    int index = 0;  ///< in the records
    QString branch; ///< what stands before its number: "", "│  ", "├─ "

    bool operator==(const TreeRow &) const = default;
};

/// Parents before their children. The line that leads to `current` (0: to the newest) goes straight down;
/// each other branch stands whole, indented, below the iteration that it began from.
[[nodiscard]] std::vector<TreeRow> treeRows(const std::vector<IterationRecord> &records, int current);

} // namespace warpwright
