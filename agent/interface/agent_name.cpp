// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/interface/agent_name.h"

#include <array>

namespace warpwright {
namespace {

constexpr std::array<AuthorKind, 4> agentKinds{AuthorKind::Acp, AuthorKind::Model, AuthorKind::Playbook,
                                               AuthorKind::Script};

} // namespace

AgentName AgentName::fromText(const QString &text) {
    const QString word = text.section(QLatin1Char(':'), 0, 0);
    for (const AuthorKind kind : agentKinds) {
        const AgentName found{kind, text.section(QLatin1Char(':'), 1)};
        if (word == authorKindName(kind) && found.text() == text && found.isAgent())
            return found;
    }
    return {AuthorKind::You, text};
}

QString AgentName::text() const {
    if (isNamed())
        return authorKindName(kind) + QLatin1Char(':') + name;
    return isAgent() ? authorKindName(kind) : name;
}

bool AgentName::isAgent() const {
    return kind == AuthorKind::Playbook || kind == AuthorKind::Script || (isNamed() && !name.isEmpty());
}

QStringList agentForms() {
    QStringList forms;
    for (const AuthorKind kind : agentKinds)
        forms << AgentName{kind, AgentName{kind, {}}.isNamed() ? QStringLiteral("NAME") : QString()}.text();
    return forms;
}

} // namespace warpwright
