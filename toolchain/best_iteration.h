// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation_summary.h"
#include "toolchain/iteration.h"

#include <vector>

namespace warpwright {

/// Which iteration is the best, by one rule wherever the word stands: of those that passed and were measured
/// the fastest by isFaster(), unless the clock left open one that is faster still (isOutdone()): then none
/// is. They are taken one by one, so that it can be asked up to each.
class BestIteration {
public:
    void take(int place, const EvaluationSummary &summary);
    /// As it was given to take(); −1: there is none.
    [[nodiscard]] int place() const;

private:
    int m_place = -1;
    EvaluationSummary m_fastest; ///< of m_place
    bool m_isOutdone = false;
    std::vector<EvaluationSummary> m_undecided; ///< the fastest of each device and software
};

/// Its number; 0: there is none.
[[nodiscard]] int bestIteration(const std::vector<IterationRecord> &records);

} // namespace warpwright
