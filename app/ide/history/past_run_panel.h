// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QScrollArea;

namespace warpwright {

class LedgerSection;
class Look;
class PlanList;
class ProposalCard;
class RunEventList;
class SectionHead;
class TabStrip;
class Words;

/// The agent's pane while a past run is open: its events, and below them what was known at the one that is
/// picked: its words, the proposal, what was expected and what had come. Read-only.
class PastRunPanel : public QWidget {
    Q_OBJECT
public:
    explicit PastRunPanel(const Look &look, QWidget *parent = nullptr);

    [[nodiscard]] RunEventList &events() const { return *m_events; }
    /// `words`: what the event says at length; empty: nothing. In sight a moment later, so that the panes are
    /// drawn first, and in an event of their own.
    void show(const QString &heading, const QString &words, const AgentView &view);
    [[nodiscard]] const AgentView &view() const { return m_view; }
    /// «Event 12, proposed» and what it says at length.
    [[nodiscard]] QString said() const;

signals:
    /// A row of the proposal's card was pressed.
    void hunkPicked(int id);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showNow();

    const Look &m_look;
    AgentView m_view;
    QString m_heading;
    QString m_said;
    std::optional<AgentView> m_shown; ///< in sight
    QTimer m_soon;
    PlanList *m_plan;
    TabStrip *m_filter;
    RunEventList *m_events;
    QScrollArea *m_scroll;
    SectionHead *m_head;
    Words *m_words;
    ProposalCard *m_card;
    LedgerSection *m_ledger;
};

} // namespace warpwright
