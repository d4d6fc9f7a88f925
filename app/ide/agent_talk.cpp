// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent_talk.h"

#include "agent/session.h"
#include "app/ide/agent_event_model.h"
#include "app/ide/agent_panel.h"
#include "app/ide/proposal_views.h"
#include "toolchain/figures.h"

#include <QTime>

namespace warpwright {

AgentTalk::AgentTalk(AgentPanel &panel, QObject *parent) : QObject(parent), m_panel(panel) {
    connect(&panel, &AgentPanel::queueAsked, this, [this](const QString &text) { wait(text, false); });
    connect(&panel, &AgentPanel::sendAsked, this, [this](const QString &text) { wait(text, true); });
    connect(&panel, &AgentPanel::queuedEdited, this, &AgentTalk::change);
    connect(&panel, &AgentPanel::queuedRemoved, this, [this](int id) { change(id, {}); });
}

void AgentTalk::begin(Agent &agent, Session &session, const QStringList &before) {
    m_session = &session;
    // In the window that left the run they may still wait.
    std::vector<QueuedMessage> again;
    for (const QString &text : before)
        if (std::none_of(m_queue.begin(), m_queue.end(),
                         [&text](const QueuedMessage &message) { return message.text == text; }))
            again.push_back({++m_lastQueued, text});
    m_queue.insert(m_queue.begin(), again.begin(), again.end());
    m_plan.clear();
    m_events.clear();
    m_told.clear();
    m_panel.events().clear();
    listenTo(agent);
    const QString name = agent.identity().name;
    connect(&session, &Session::reviewChanged, this, [this, name] { sayProposal(name); });
    connect(&session, &Session::messagesRead, this, [this](const QStringList &messages) {
        m_queue.clear();
        for (const QString &text : messages)
            say(tr("you"), text);
        emit changed();
    });
    tellSession();
}

void AgentTalk::end() {
    m_session = nullptr;
    // Nobody works at it any more.
    for (PlanStep &step : m_plan)
        if (step.state == PlanStep::Now)
            step.state = PlanStep::Ahead;
    if (!m_queue.empty())
        say(tr("run"), tr("%1 not read by the agent. What you wrote waits for the next run; until then it "
                          "can be changed or taken back.")
                           .arg(countText(static_cast<qsizetype>(m_queue.size()), tr("message"))));
    emit changed();
}

void AgentTalk::listenTo(Agent &agent) {
    const QString name = agent.identity().name;
    connect(&agent, &Agent::messageDelta, this, [this, name](const QString &id, const QString &text) {
        if (const int there = m_events.value(id); there > 0)
            return m_panel.events().appendText(there, text);
        AgentEvent event;
        event.author = name;
        event.text = text;
        m_events[id] = append(event);
    });
    connect(&agent, &Agent::message, this, [this, name](const AgentMessage &message) {
        AgentEvent event;
        event.id = m_events.value(message.id);
        event.author = name;
        event.time = QTime::currentTime().toString(QStringLiteral("HH:mm"));
        event.text = message.text;
        if (event.id > 0)
            m_panel.events().update(event);
        else
            append(event);
    });
    connect(&agent, &Agent::planChanged, this, [this](const std::vector<PlanItem> &items) {
        m_plan = planSteps(items);
        emit changed();
    });
    connect(&agent, &Agent::toolBegan, this, [this](const ToolCall &call) { showTool(call, false); });
    connect(&agent, &Agent::toolEnded, this, [this](const ToolCall &call) { showTool(call, true); });
}

void AgentTalk::showTool(const ToolCall &call, bool hasEnded) {
    AgentEvent event;
    event.id = m_events.value(call.id);
    event.kind = AgentEvent::Tool;
    event.name = QString(call.name).replace(QLatin1Char('_'), QLatin1Char(' '));
    event.icon = QStringLiteral("terminal");
    event.outcome = AgentEvent::Running;
    if (hasEnded) {
        event.text = call.result;
        event.result = durationText(call.seconds);
        event.outcome = call.outcome == QLatin1String("ok")       ? AgentEvent::Succeeded
                        : call.outcome == QLatin1String("denied") ? AgentEvent::Denied
                                                                  : AgentEvent::Failed;
    }
    if (event.id > 0)
        m_panel.events().update(event);
    else
        m_events[call.id] = append(event);
}

// Why it wants this change stands in the conversation, once.
void AgentTalk::sayProposal(const QString &author) {
    const ProposalReview *review = m_session == nullptr ? nullptr : m_session->review();
    if (review == nullptr || std::exchange(m_told, review->proposal().id) == review->proposal().id)
        return;
    const Proposal &proposal = review->proposal();
    QString text = tr("**Proposal %1, %2.**").arg(numberOf(proposal.id)).arg(proposal.title);
    if (!proposal.reason.isEmpty())
        text += QLatin1Char(' ') + proposal.reason;
    if (!proposal.prediction.words.isEmpty())
        text += tr(" Expected: %1").arg(proposal.prediction.words);
    say(author, text);
}

// No agent can be interrupted while it thinks; so what is sent comes before what waits.
void AgentTalk::wait(const QString &text, bool isFirst) {
    m_queue.insert(isFirst ? m_queue.begin() : m_queue.end(), {++m_lastQueued, text});
    tellSession();
    emit changed();
}

void AgentTalk::change(int id, const QString &text) {
    const auto found = std::find_if(m_queue.begin(), m_queue.end(),
                                    [id](const QueuedMessage &message) { return message.id == id; });
    if (found == m_queue.end())
        return;
    if (text.isEmpty())
        m_queue.erase(found);
    else
        found->text = text;
    tellSession();
    emit changed();
}

void AgentTalk::tellSession() {
    if (m_session == nullptr)
        return;
    QStringList texts;
    for (const QueuedMessage &message : m_queue)
        texts << message.text;
    m_session->setMessages(texts);
}

QString AgentTalk::unread() const {
    QStringList texts;
    for (const QueuedMessage &message : m_queue)
        texts << message.text;
    if (const QString typed = m_panel.unsent(); !typed.isEmpty())
        texts << typed;
    return texts.join(QLatin1Char('\n'));
}

int AgentTalk::append(const AgentEvent &event) {
    AgentEvent numbered = event;
    numbered.id = ++m_lastEvent;
    numbered.time = QTime::currentTime().toString(QStringLiteral("HH:mm"));
    m_panel.events().append({numbered});
    return numbered.id;
}

void AgentTalk::say(const QString &author, const QString &text) {
    AgentEvent event;
    event.author = author;
    event.text = text;
    append(event);
}

} // namespace warpwright
