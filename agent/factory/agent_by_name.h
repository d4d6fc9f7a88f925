// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/interface/agent_name.h"
#include "agent/session/session_words.h"
#include "toolchain/check/evaluation_run.h"

#include <functional>
#include <memory>

namespace warpwright {

/// As the source of a model or an external agent: the built-in expert proposes first, as long as it has
/// something.
inline constexpr const char *expertFirst = "expert";

/// Why the agent of this name cannot be found, for people, with those of its kind that are set up; empty: it
/// can be, or it needs no setting up. Reads files.
[[nodiscard]] QString whyNotSetUp(const AgentName &name, const DataFolders &folders);

/// `source`: what it is begun with: the folder of a script; of a model and an external agent
/// nothing or `expertFirst`. `request`:
/// with which its proposals are measured. An error, for people, where there is none of this name, or it lacks
/// something on this machine. Reads files and asks the driver for devices: for the pool. The agent lives in
/// the application's thread.
[[nodiscard]] Result<std::shared_ptr<Agent>> agentByName(const AgentName &name, const QString &source,
                                                         const EvaluationRequest &request, SessionMode mode);

/// Makes one agent after the other, in the application's thread; an error, for people, where it cannot.
using MakeAgent = std::function<Result<std::shared_ptr<Agent>>()>;

/// For a series of runs of agents that need no source. What is set up and what this machine has is asked
/// once, now: what earlier runs of the series measured changes nothing for later ones. Errors as of
/// agentByName().
[[nodiscard]] Result<MakeAgent> agentMaker(const AgentName &name, const EvaluationRequest &request,
                                           SessionMode mode);

} // namespace warpwright
