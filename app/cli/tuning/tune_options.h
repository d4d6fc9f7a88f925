// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_name.h"
#include "agent/session/prompt_leave.h"
#include "agent/session/session_words.h"
#include "app/cli/options/shared_options.h"

namespace warpwright {

/// What `wright tune` was asked for.
struct TuneOptions {
    QString path = QStringLiteral(".");
    MachineOptions machine;
    AgentName agent{AuthorKind::Playbook, {}}; ///< --continue: kind You: the run's own
    QString script;                            ///< the folder of the agent "script"
    bool isExpertFirst = false;                ///< of a model or an external agent
    bool continuesRun = false;
    QString run; ///< --continue: its id; empty: the newest that has not ended
    bool hasSaidMode = false;
    SessionMode mode = SessionMode::Review;
    RunBudgets budgets;
    PromptLeave leave;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand();

    QString agentWords; ///< as they were typed

private:
    void addAgents(CLI::App &app);
    void addMode(CLI::App &app);
    void addBudgets(CLI::App &app);
    [[nodiscard]] QString whyNotThisAgent() const;
};

} // namespace warpwright
