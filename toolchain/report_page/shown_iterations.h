// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/history/iteration.h"

#include <QString>

#include <vector>

namespace warpwright {

/// Which of many iterations a page shows, and in what words it says so.
struct ShownIterations {
    std::vector<std::size_t> places; ///< among the records, rising
    std::vector<int> bestUpTo;       ///< of every record: the place of the best up to it; -1: none
    QString remark;                  ///< how the others were left out; empty: all are shown

    /// The place of the best of all; -1: none is.
    [[nodiscard]] int best() const { return bestUpTo.empty() ? -1 : bestUpTo.back(); }
};

/// At most `most` (10 at the least): the first and the last, that numbered `own`, those that were the best
/// when they were made, and of the others every nth. «Best» is what BestIteration says.
[[nodiscard]] ShownIterations shownIterations(const std::vector<IterationRecord> &records, int own,
                                              std::size_t most);

/// The time that counts, or that was measured of an inconclusive one; null: none.
[[nodiscard]] const ArmTiming *timeOf(const IterationRecord &record);
/// It is only of an inconclusive check.
[[nodiscard]] bool isDoubtful(const IterationRecord &record);
/// Whose unit all times are written in: the fastest, or where no time counts the least of the inconclusive
/// ones that are shown; null: there is no time.
[[nodiscard]] const ArmTiming *guideOf(const std::vector<IterationRecord> &records,
                                       const ShownIterations &shown);

} // namespace warpwright
