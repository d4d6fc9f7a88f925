// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/interface/agent_events.h"

namespace warpwright {

QString messageRoleName(AgentMessage::Role role) {
    switch (role) {
    case AgentMessage::Role::Person:
        return QStringLiteral("person");
    case AgentMessage::Role::System:
        return QStringLiteral("system");
    case AgentMessage::Role::Agent:
        break;
    }
    return QStringLiteral("agent");
}

} // namespace warpwright
