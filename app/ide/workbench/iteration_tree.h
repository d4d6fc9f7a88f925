// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/history/iteration.h"

#include <QHash>

#include <memory>
#include <vector>

namespace warpwright {

/// The iterations of a history in the order of their numbers, each with its place in the tree and the words
/// of its row: all that a list of ten thousand needs, made once in the pool and shared from there on.
struct IterationTree {
    /// What is drawn beside a row.
    struct Lane {
        int own = 0;                ///< lane of this row, from 0
        bool hasParent = false;     ///< a line comes from above
        int parentLane = 0;         ///< from this lane
        std::vector<int> passing;   ///< lanes that go through this row
        bool hasChildBelow = false; ///< the own lane goes on

        bool operator==(const Lane &) const = default;
    };

    std::vector<IterationRecord> records;
    std::vector<QString> words; ///< what a screen reader says of a record, and a filter looks in
    std::vector<int> parents;   ///< rows; -1: none
    std::vector<Lane> lanes;
    QHash<int, int> rows; ///< by number
    int best = 0;         ///< as bestIteration() says it; 0: none is

    /// Null: there is none.
    [[nodiscard]] const IterationRecord *byNumber(int number) const;
};

using SharedTree = std::shared_ptr<const IterationTree>;

[[nodiscard]] SharedTree makeIterationTree(std::vector<IterationRecord> records);

/// The lanes of a tree given as parents by row (−1: a root): a child continues its parent's lane if it is the
/// last of its children, else it opens one to the right.
[[nodiscard]] std::vector<IterationTree::Lane> lanesOf(const std::vector<int> &parentRows);

/// "3.50× over eager", «Not exercised», or the verdict's word: what a row says first.
[[nodiscard]] QString headlineOf(const IterationRecord &record);

} // namespace warpwright
