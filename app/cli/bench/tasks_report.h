// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tasks/task_summary.h"
#include "app/cli/process/terminal.h"

namespace warpwright {

/// One task in one line, as it is printed when it has ended: "12/97 row_entropy  pass  4.1x compile, …".
[[nodiscard]] QString taskLine(const TaskResult &result, int number, int count, const Terminal &terminal);

/// The table by kind, what the rates are of, and why the rest is no pass.
[[nodiscard]] QString tasksReport(const std::vector<TaskResult> &results, const Terminal &terminal);

/// warpwright.tasks/1
[[nodiscard]] OrderedJson tasksDocument(const std::vector<TaskResult> &results,
                                        const QString &programVersion);

} // namespace warpwright
