// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/factory/reopened_run.h"
#include "toolchain/history/recent_workspaces.h"

#include <vector>

namespace warpwright {

/// A run or a lesson that was left before its end, so that the start page can offer it.
struct LeftWork {
    QString path;  ///< of its workspace
    QString name;  ///< of that
    LeftRun left;  ///< `run` is empty: nothing was left
    int steps = 0; ///< of the lesson; 0: it is none

    [[nodiscard]] bool isLesson() const { return steps > 0; }
    bool operator==(const LeftWork &) const = default;
};

/// Of one workspace. Reads the newest run whole: for the pool.
[[nodiscard]] LeftWork leftWorkIn(const QString &path, const DataFolders &folders);
/// Of those that were open last, in their order.
[[nodiscard]] std::vector<LeftWork> leftWork(const std::vector<RecentWorkspace> &recent,
                                             const DataFolders &folders);
/// Where a person has begun a lesson before, and where it would begin anew.
struct BegunLesson {
    QString last; ///< the newest of its folders; empty: it was never begun
    QString next; ///< the first that is free

    bool operator==(const BegunLesson &) const = default;
};
[[nodiscard]] BegunLesson begunLesson(const QString &lesson, const QString &data);
/// «The lesson stopped at step 3 of 7», «A run has used up its budget», «A run was left before its end»
[[nodiscard]] QString leftTitle(const LeftWork &work);
/// What it was at, and what goes on.
[[nodiscard]] QString leftWords(const LeftWork &work);

} // namespace warpwright
