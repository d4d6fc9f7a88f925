// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tasks/task_result.h"

#include <map>

namespace warpwright {

/// So many of so many.
struct TaskShare {
    int count = 0;
    int of = 0;

    [[nodiscard]] double rate() const { return of > 0 ? static_cast<double>(count) / of : 0; }
    bool operator==(const TaskShare &) const = default;
};

/// A mean, and of how many rows it is.
struct TaskMean {
    double value = 0;
    int of = 0;

    bool operator==(const TaskMean &) const = default;
};

/// Tokens and money of the rows that used any.
struct TaskUse {
    int of = 0;       ///< rows
    int unpriced = 0; ///< rows of these whose cost nobody knows
    qint64 tokensIn = 0, tokensOut = 0, tokensCached = 0;
    std::map<QString, double> costs; ///< by currency
    bool isEstimated = false;        ///< a row's are

    bool operator==(const TaskUse &) const = default;
};

/// What rows come to. A rate is of all rows: what failed, could not be planned or was not run is neither
/// passed nor faster. A mean is of the rows that passed and have the number.
struct TaskSummary {
    int tasks = 0;
    std::map<TaskVerdict, int> verdicts;
    TaskShare passed;
    TaskShare passedOfPlanned; ///< of those for which there is a kernel family and a machine
    TaskShare fasterThanEager, fasterThanCompile, fasterThanSameClass; ///< beyond the interval
    TaskMean eager, compile, sameClass;                                ///< geometric means of speed-ups
    TaskMean shareOfLight;                                             ///< median
    TaskMean seconds; ///< median a task, of those that were run
    double totalSeconds = 0;
    TaskUse used;

    bool operator==(const TaskSummary &) const = default;
};

[[nodiscard]] TaskSummary summaryOf(const std::vector<TaskResult> &results);
/// By kind, in the order of their names.
[[nodiscard]] std::vector<std::pair<QString, TaskSummary>>
summariesByKind(const std::vector<TaskResult> &results);

[[nodiscard]] OrderedJson taskSummaryToJson(const TaskSummary &summary);

} // namespace warpwright
