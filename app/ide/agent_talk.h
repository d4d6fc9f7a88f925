// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/agent_view.h"

#include <QHash>
#include <QObject>
#include <QPointer>

namespace warpwright {

class Agent;
class AgentPanel;
class Session;
struct ToolCall;

/// The conversation with an agent: what it says and does becomes rows of its pane, and what a person writes
/// waits here until the agent reads it. What it never read outlives the run.
class AgentTalk : public QObject {
    Q_OBJECT
public:
    explicit AgentTalk(AgentPanel &panel, QObject *parent = nullptr);

    /// Of a run that begins; what still waits goes with its first request. `before`: what waited in the run
    /// when it was left.
    void begin(Agent &agent, Session &session, const QStringList &before);
    void end();
    void say(const QString &author, const QString &text);
    [[nodiscard]] const std::vector<PlanStep> &plan() const { return m_plan; }
    [[nodiscard]] const std::vector<QueuedMessage> &queue() const { return m_queue; }
    /// All that was written and no agent has read.
    [[nodiscard]] QString unread() const;

signals:
    void changed(); ///< the plan, or what waits

private:
    void listenTo(Agent &agent);
    void showTool(const ToolCall &call, bool hasEnded);
    void sayProposal(const QString &author);
    void wait(const QString &text, bool isFirst);
    void change(int id, const QString &text);
    void tellSession();
    int append(const AgentEvent &event);

    AgentPanel &m_panel;
    QPointer<Session> m_session;
    std::vector<PlanStep> m_plan;
    std::vector<QueuedMessage> m_queue;
    QHash<QString, int> m_events; ///< by the agent's own ids
    QString m_told;               ///< the proposal whose reason was said
    int m_lastEvent = 0;
    int m_lastQueued = 0;
};

} // namespace warpwright
