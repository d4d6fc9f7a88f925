// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/interface/agent.h"

namespace warpwright {

void Agent::moveTo(QThread *thread) {
    moveToThread(thread);
}

void Agent::setMeasurer(Measurer &) {}

void Agent::prepare(const AgentRequest &) {}

Result<void> Agent::wasAnswered(const AnsweredProposal &) {
    return Result<void>::error(
        QStringLiteral("its agent, %1, cannot come to where it was. Begin another run.")
            .arg(identity().name));
}

Result<void> Agent::recall(const Json &) {
    return Result<void>::ok(); // of a version that remembered more
}

void Agent::hear(const QStringList &) {}

void Agent::answerPrompt(const QString &, const QString &) {}

} // namespace warpwright
