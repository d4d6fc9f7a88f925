// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/factory/agents_in_turn.h"

#include <QTimer>

namespace warpwright {

AgentsInTurn::AgentsInTurn(std::shared_ptr<Agent> first, std::shared_ptr<Agent> second)
    : m_first(std::move(first)), m_second(std::move(second)) {
    for (Agent *agent : {m_first.get(), m_second.get()})
        listenTo(*agent, agent == m_first.get());
}

void AgentsInTurn::listenTo(Agent &agent, bool isFirst) {
    connect(&agent, &Agent::proposed, this, &Agent::proposed);
    connect(&agent, &Agent::messageDelta, this, &Agent::messageDelta);
    connect(&agent, &Agent::message, this, [this, &agent, isFirst](AgentMessage said) {
        if (isFirst && said.role == AgentMessage::Role::Agent)
            said.author = agent.identity().name;
        emit message(said);
    });
    connect(&agent, &Agent::messageGivenUp, this, &Agent::messageGivenUp);
    connect(&agent, &Agent::thoughtDelta, this, &Agent::thoughtDelta);
    connect(&agent, &Agent::noted, this, &Agent::noted);
    connect(&agent, &Agent::planChanged, this, &Agent::planChanged);
    connect(&agent, &Agent::toolBegan, this, &Agent::toolBegan);
    connect(&agent, &Agent::toolEnded, this, &Agent::toolEnded);
    connect(&agent, &Agent::toolProgressed, this, &Agent::toolProgressed);
    connect(&agent, &Agent::used, this, &Agent::used);
    connect(&agent, &Agent::remembered, this, &Agent::remembered);
    connect(&agent, &Agent::attends, this, &Agent::attends);
    connect(&agent, &Agent::prompted, this, &Agent::prompted);
    if (!isFirst) {
        connect(&agent, &Agent::done, this, &Agent::done);
        connect(&agent, &Agent::failed, this, &Agent::failed);
        return;
    }
    connect(&agent, &Agent::done, this, &AgentsInTurn::pass);
    connect(&agent, &Agent::failed, this, [this](const QString &why) {
        if (m_isStopped)
            emit failed(why);
        else
            pass(why);
    });
}

void AgentsInTurn::moveTo(QThread *thread) {
    moveToThread(thread);
    m_first->moveTo(thread);
    m_second->moveTo(thread);
}

void AgentsInTurn::setMeasurer(Measurer &measurer) {
    m_first->setMeasurer(measurer);
    m_second->setMeasurer(measurer);
}

void AgentsInTurn::prepare(const AgentRequest &request) {
    now().prepare(request);
}

Result<void> AgentsInTurn::wasAnswered(const AnsweredProposal &answered) {
    return now().wasAnswered(answered);
}

Result<void> AgentsInTurn::recall(const Json &memory) {
    if (memory.contains("isSecond")) {
        m_isSecond = true;
        return Result<void>::ok();
    }
    return now().recall(memory);
}

void AgentsInTurn::propose(const AgentRequest &request) {
    m_request = request;
    m_isStopped = false;
    now().propose(request);
}

// The first has nothing more: the same request goes to the second.
void AgentsInTurn::pass(const QString &why) {
    m_isSecond = true;
    m_request.feedback.clear(); // of the first one's proposals; the history tells the second of them
    emit remembered(Json{{"isSecond", true}});
    emit message({AgentMessage::Role::System,
                  m_request.proposal + QStringLiteral("-in-turn"),
                  QStringLiteral("%1 has nothing more (%2). %3 goes on.")
                      .arg(m_first->identity().name, why, m_second->identity().name),
                  false,
                  {}});
    QTimer::singleShot(0, this, [this] {
        if (m_isStopped)
            emit failed(
                QStringLiteral("The run was stopped before %1 began.").arg(m_second->identity().name));
        else
            m_second->propose(m_request);
    });
}

void AgentsInTurn::cancel() {
    m_isStopped = true;
    now().cancel();
}

void AgentsInTurn::hear(const QStringList &messages) {
    now().hear(messages);
}

void AgentsInTurn::answerPrompt(const QString &id, const QString &answer) {
    now().answerPrompt(id, answer);
}

} // namespace warpwright
