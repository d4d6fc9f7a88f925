// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QTimer>

namespace warpwright {

class Agent;
class AgentPanel;
class Session;
struct AgentMessage;
struct ToolCall;

/// The conversation with an agent: what it says and does becomes rows of its pane, and what a person writes
/// waits here until the agent reads it. What it never read outlives the run. Words that come faster than they
/// can be read are shown a few times a second, together.
class AgentTalk : public QObject {
    Q_OBJECT
public:
    explicit AgentTalk(AgentPanel &panel, QObject *parent = nullptr);

    /// Of a run that begins; what still waits goes with its first request. `before`: what waited in the run
    /// when it was left. `goesOn`: the conversation of this very run stands in the pane, and stays there.
    void begin(Agent &agent, Session &session, const QStringList &before, bool goesOn = false);
    void end();
    /// To the agent, as if the person had written it in the box.
    void tell(const QString &text) { wait(text, false); }
    void say(const QString &author, const QString &text);
    [[nodiscard]] const std::vector<PlanStep> &plan() const { return m_plan; }
    [[nodiscard]] const std::vector<QueuedMessage> &queue() const { return m_queue; }
    /// What the agent waits for now, or how far that is; empty: it works.
    [[nodiscard]] const QString &note() const { return m_note; }
    /// This agent says such things: their place is kept.
    [[nodiscard]] bool hasNotes() const { return m_hasNotes; }
    /// What the agent asks, the oldest first; empty: nothing.
    [[nodiscard]] const std::optional<ShownPrompt> &prompt() const { return m_prompt; }
    /// All that was written and no agent has read.
    [[nodiscard]] QString unread() const;

signals:
    /// The person wrote something, and no agent works that would read it.
    void spokenToNobody();
    void changed(); ///< the plan, the note, or what waits
    void asked();   ///< prompt() is another one, or none any more

private:
    /// A message that is being written, as it will stand in its row.
    struct Writing {
        AgentEvent event;
        QElapsedTimer thinks; ///< since its first thought
        bool isShown = true;  ///< its row has all of it
        bool isVoid = false;  ///< its text says that what came was cut off
    };

    void listenTo(Agent &agent);
    void grow(const QString &id, const QString &text, const QString &thinking);
    void giveUp(const QString &id);
    void finish(const AgentMessage &message);
    void endThought(Writing &writing);
    void showGrown();
    void showTool(const ToolCall &call, bool hasEnded);
    void showProgress(const QString &id, const QString &words);
    void sayProposal();
    void sayExpected();
    void takePrompts();
    void answer(const QString &id, int epoch, const QString &option);
    void wait(const QString &text, bool isFirst);
    void change(int id, const QString &text);
    void tellSession();
    int append(const AgentEvent &event);

    AgentPanel &m_panel;
    QPointer<Session> m_session;
    std::vector<PlanStep> m_plan;
    std::vector<QueuedMessage> m_queue;
    QString m_author;                   ///< the agent's name
    QHash<QString, Writing> m_writings; ///< by the agent's own ids, until the message is whole
    QHash<QString, AgentEvent> m_calls; ///< the same, of calls that run
    QTimer m_soon;                      ///< until what has come is shown
    QString m_note, m_nextNote;
    bool m_hasNotes = false;
    std::vector<ShownPrompt> m_prompts; ///< all that wait
    std::optional<ShownPrompt> m_prompt;
    QString m_told;                ///< the proposal whose reason was said
    QString m_expected;            ///< what it expects in words, held back until the person has bet
    QString m_lastSaid;            ///< of the agent, whole
    QSet<QString> m_saidSentences; ///< of this run, by its agent
    int m_lastEvent = 0;
    int m_lastQueued = 0;
};

} // namespace warpwright
