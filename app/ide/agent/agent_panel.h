// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QWidget>

class QAction;
class QStackedLayout;

namespace warpwright {

class ActionButton;
class AgentEventModel;
class EmptyState;
class LedgerSection;
class Look;
class MessageList;
class MessageQueue;
class NoteLine;
class PlanList;
class PromptCard;
class ProposalCard;

/// The agent: its plan, what it says and does, the proposal that waits, what was expected and what came, and
/// a box to talk to it. Shows one value and the events; until there is a session it says so.
class AgentPanel : public QWidget {
    Q_OBJECT
public:
    explicit AgentPanel(const Look &look, QWidget *parent = nullptr);
    ~AgentPanel() override;

    /// What happened; its owner appends to it.
    [[nodiscard]] AgentEventModel &events() const { return *m_events; }
    void setView(const AgentView &view);
    [[nodiscard]] const AgentView &view() const { return m_view; }
    /// No session: what will appear here and what brings it.
    void showEmpty(const QString &what, const QString &how, const QList<QAction *> &actions);
    /// Below the conversation of a run that is over: what can be done next, a button each. Empty: none.
    void setChoices(const QList<QAction *> &actions);
    /// No agent works: who would read what is written, and what Enter does then. Empty: one works.
    void setReader(const QString &who, const QString &enter);
    /// What stands in the box; it stays there when a run ends.
    [[nodiscard]] QString unsent() const;
    void setUnsent(const QString &text);
    /// Puts words of ours behind what stands in the box, to be changed and sent; the keys go there.
    void compose(const QString &text);
    void focusBet();
    /// To this row of events().
    void goToEvent(int row);
    /// To the answers of the question that waits.
    void focusPrompt();

signals:
    void acceptAllAsked();
    void rejectRestAsked();
    void goOnAsked();
    void hunkPicked(int id);
    void checkPicked(const QString &page);
    /// In µs, from the time before; `low` < `high`: a range.
    void betPlaced(double difference, double low, double high);
    void betTakenBack();
    void revealAsked();
    void betAsked();
    void keepAsked();
    void branchAsked();
    void revertAsked();
    void queueAsked(const QString &text);
    void sendAsked(const QString &text);
    void queuedEdited(int id, const QString &text);
    void queuedRemoved(int id);
    void linkActivated(const QString &address);
    void promptAnswered(const QString &id, int epoch, const QString &answer);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void showBet();

    const Look &m_look;
    AgentView m_view;
    AgentEventModel *m_events;
    QStackedLayout *m_pages;
    EmptyState *m_empty;
    PlanList *m_plan;
    MessageList *m_messages;
    ActionButton *m_newBelow; ///< a proposal came while somebody read above
    QWidget *m_tail;
    ProposalCard *m_card;
    LedgerSection *m_ledger;
    QWidget *m_choices;
    NoteLine *m_note;
    PromptCard *m_prompt;
    MessageQueue *m_queue;
};

} // namespace warpwright
