// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "agent/session_words.h"
#include "toolchain/evaluation_run.h"

#include <memory>

namespace warpwright {

/// "acp:NAME", "playbook", "script", "model:NAME": those that agentByName() makes. NAME need not be set up.
[[nodiscard]] bool isAgentName(const QString &name);
[[nodiscard]] QStringList agentNames(); ///< "acp:NAME", "model:NAME", "playbook", "script"
/// Of an agent as a run's record has it: kind and name.
[[nodiscard]] QString agentNameOf(AuthorKind kind, const QString &name);

/// `source`: what it is begun with: the folder of a script. `request`: with which its proposals are measured.
/// An error, for people, where there is none of this name, or it lacks something on this machine. Reads files
/// and asks the driver for devices: for the pool. The agent lives in the application's thread.
[[nodiscard]] Result<std::shared_ptr<Agent>> agentByName(const QString &name, const QString &source,
                                                         const EvaluationRequest &request, SessionMode mode);

} // namespace warpwright
