// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_name.h"
#include "agent/session/session_words.h"
#include "app/cli/leave_words.h"

#include <QString>

#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace warpwright {

/// What `wright tune` was asked for, besides folder, device and --json.
struct TuneLine {
    AgentName agent{AuthorKind::Playbook, {}}; ///< --continue: kind You: the run's own
    QString script;                            ///< the folder of the agent "script"
    bool isExpertFirst = false;                ///< of a model or an external agent
    bool continuesRun = false;
    QString run; ///< --continue: its id; empty: the newest that has not ended
    bool hasSaidMode = false;
    SessionMode mode = SessionMode::Review;
    RunBudgets budgets;
    PromptLeave leave;

    bool operator==(const TuneLine &) const = default;
};

/// The words of that command as CLI11 fills them in; they outlive the parsing.
struct TuneWords {
    std::string agent;
    std::string script;
    std::string mode = "review";
    LeaveWords leave;
    std::string run;
    bool isExpertFirst = false;
    int iterations = 0;
    double minutes = 0;
    qint64 tokens = 0;
    double cost = 0;
    CLI::Option *goesOn = nullptr;
    CLI::Option *saidMode = nullptr;

    /// Adds the command; folder, device, interpreter and --json are words that other commands have as well.
    CLI::App *addTo(CLI::App &app, std::string &path, std::string &device, std::string &python,
                    bool &asksJson);
    /// `why`: set where the words cannot be understood.
    [[nodiscard]] TuneLine line(QString &why) const;
};

} // namespace warpwright
