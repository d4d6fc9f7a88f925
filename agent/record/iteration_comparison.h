// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_iterations.h"
#include "toolchain/comparison/compare_metrics.h"
#include "toolchain/evaluation/time_ratio.h"
#include "toolchain/history/iteration.h"
#include "toolchain/workspace/text_comparison.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// Any two iterations beside each other, for window and terminal alike; «right» is told against «left».
struct IterationComparison {
    IterationRecord left;
    IterationRecord right;
    ComparedSide leftSide; ///< texts and whole evaluations, as the window's comparison takes them
    ComparedSide rightSide;
    int ancestor = 0; ///< the last iteration that both come from (either may be it); 0: none
    TextComparison text;
    std::vector<ComparedMetric> metrics; ///< comparedMetrics()
    std::optional<TimeRatio> ratio;      ///< right's time over left's; empty: cannot be said
};

/// The ratio as one number more of both sides, with the way it came about; empty: cannot be said.
[[nodiscard]] std::optional<ComparedMetric> ratioMetric(const ComparedSide &left, const ComparedSide &right);

/// Reads the two iterations of <state>/history.git, their texts, links and evaluations, and the parents up to
/// where both come from; no other iteration. An evaluation whose document cannot be read is left out: the
/// record still has its summary.
[[nodiscard]] Result<IterationComparison> compareIterations(const QString &stateFolder, int left, int right);

/// The same of two that a run recorded; `run` has the texts of both. Evaluations lie in <state>/evaluations.
[[nodiscard]] Result<IterationComparison>
compareRunIterations(const RunIterations &run, const QString &stateFolder, int left, int right);

} // namespace warpwright
