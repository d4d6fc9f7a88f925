// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/agent.h"

namespace warpwright {

void Agent::prepare(const AgentRequest &) {}

void Agent::answerPrompt(const QString &, const QString &) {}

} // namespace warpwright
