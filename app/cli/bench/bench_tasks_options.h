// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_name.h"
#include "agent/session/prompt_leave.h"
#include "agent/tasks/task_set.h"
#include "app/cli/options/shared_options.h"
#include "toolchain/base/stages.h"

#include <optional>

namespace warpwright {

/// What `wright bench tasks` was asked for.
struct BenchTasksOptions {
    AgentName agent{AuthorKind::Playbook, {}}; ///< none that needs a source
    PromptLeave leave;
    TaskSelection selection;
    double minutesPerTask = 3;
    double minutesForFirst = 4;
    QString out = QStringLiteral("bench-tasks");
    bool resumes = false;
    bool isSmall = false;
    QStringList joined; ///< files of rows: nothing is run
    MachineOptions machine;
    std::optional<Tier> tier; ///< empty: not said
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand();

    QString agentWords = QStringLiteral("playbook"); ///< as they were typed
    QString shardWords;

private:
    void addTasks(CLI::App &app);
    void addRun(CLI::App &app);
};

} // namespace warpwright
