// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tasks/task_result.h"

namespace warpwright {

/// Adds the row as one line of JSON, and has it on the disk before it returns. A line that a killed run left
/// half written stays behind; the new one begins on a line of its own.
[[nodiscard]] Result<void> appendTaskResult(const QString &file, const TaskResult &result);

/// The rows of several files as one table: of a task that stands there more than once the last row that is no
/// «not-run», else the last. A line that is cut is passed over. An error: a file cannot be read, or rows are
/// of different devices, tiers, sizes or agents, and do not belong in one table.
[[nodiscard]] Result<std::vector<TaskResult>> readTaskResults(const QStringList &files);

} // namespace warpwright
