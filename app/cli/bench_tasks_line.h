// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_name.h"
#include "agent/tasks/task_set.h"
#include "app/cli/leave_words.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright bench tasks` was asked for, besides device, tier and --json.
struct BenchTasksLine {
    AgentName agent{AuthorKind::Playbook, {}}; ///< none that needs a source
    PromptLeave leave;
    TaskSelection selection;
    double minutesPerTask = 3;
    double minutesForFirst = 4;
    QString out = QStringLiteral("bench-tasks");
    bool resumes = false;
    bool isSmall = false;
    QStringList joined; ///< files of rows: nothing is run

    bool operator==(const BenchTasksLine &) const = default;
};

/// The words of that command as CLI11 fills them in; they outlive the parsing.
struct BenchTasksWords {
    std::string agent = "playbook";
    LeaveWords leave;
    std::vector<std::string> names;
    std::string split;
    std::string shard;
    std::string out = "bench-tasks";
    std::vector<std::string> joined;
    int limit = 0;
    double minutes = 3;
    double firstMinutes = 4;
    bool resumes = false;
    bool isSmall = false;

    /// Adds the command; device, tier, interpreter and --json are words that other commands have as well.
    CLI::App *addTo(CLI::App &bench, std::string &device, std::string &tier, std::string &python,
                    bool &asksJson);
    /// `why`: set where the words cannot be understood.
    [[nodiscard]] BenchTasksLine line(QString &why) const;
};

} // namespace warpwright
