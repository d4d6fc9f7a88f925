// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/replay_steps.h"
#include "agent/record/run_index.h"

#include <optional>
#include <vector>

namespace warpwright {

/// How an iteration came about in the run that made it: who proposed it, who decided what, what was expected.
struct IterationStory {
    QString run;
    ReplayStep step;
    std::vector<TrajectoryEvent> events; ///< all of that step

    /// The last event of this kind; null: there is none.
    [[nodiscard]] const TrajectoryEvent *last(const QString &kind) const;
    [[nodiscard]] std::vector<TrajectoryEvent> all(const QString &kind) const;
};

/// Empty: no run made this iteration (a check in a terminal or a window did). Reads the part of the
/// trajectory around it only.
[[nodiscard]] Result<std::optional<IterationStory>> storyOf(RunIndex &index, const QString &stateFolder,
                                                            int iteration);

} // namespace warpwright
