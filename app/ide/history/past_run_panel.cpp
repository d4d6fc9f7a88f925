// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/past_run_panel.h"

#include "app/ide/agent/ledger_section.h"
#include "app/ide/agent/plan_list.h"
#include "app/ide/agent/proposal_card.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/kit/card.h"
#include "widgets/frame/pane.h"
#include "widgets/frame/tab_strip.h"

#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int mostLedgerRows = 6;
constexpr int soonMs = 12; ///< less than a frame of a screen

} // namespace

PastRunPanel::PastRunPanel(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_plan(new PlanList(look, this)),
      m_filter(new TabStrip(look, this)),
      m_events(new RunEventList(look, this)) {
    setObjectName(QStringLiteral("pastRunPanel"));
    m_filter->setObjectName(QStringLiteral("eventFilter"));
    m_filter->setAccessibleName(tr("Which events are listed"));
    m_filter->addTab(tr("Events"));
    m_filter->addTab(tr("Decisions"));
    m_filter->addTab(tr("Failures"));
    m_filter->addTab(tr("All"));
    m_filter->setTabToolTip(3, tr("Also what the agent keeps for itself, so that it can go on elsewhere"));
    m_events->events().setFilter(EventFilter::Told);
    connect(m_filter, &QTabBar::currentChanged, this, [this](int tab) {
        m_events->events().setFilter(tab == 1   ? EventFilter::Decisions
                                     : tab == 2 ? EventFilter::Failures
                                     : tab == 3 ? EventFilter::All
                                                : EventFilter::Told);
    });
    auto *below = new QWidget;
    m_head = new SectionHead(look, tr("Event"), below);
    m_words = new Words(look, TextRole::Small, "text.primary", below);
    m_words->setObjectName(QStringLiteral("eventWords"));
    m_words->setProse();
    m_words->setTextFormat(Qt::PlainText);
    m_words->setContentsMargins(look.px(12), 0, look.px(12), look.px(8));
    m_card = new ProposalCard(look, QString(), below);
    m_card->setPast();
    connect(m_card, &ProposalCard::hunkPicked, this, &PastRunPanel::hunkPicked);
    m_ledger = new LedgerSection(look, mostLedgerRows, below);
    auto *lower = new QVBoxLayout(below);
    lower->setContentsMargins(0, 0, 0, look.px(8));
    lower->setSpacing(0);
    lower->addWidget(m_head);
    lower->addWidget(m_words);
    lower->addWidget(m_card);
    lower->addSpacing(look.px(8));
    lower->addWidget(m_ledger);
    lower->addStretch(1);
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(below);
    m_scroll->viewport()->setAutoFillBackground(false);
    below->setAutoFillBackground(false);
    m_soon.setSingleShot(true);
    m_soon.setInterval(soonMs);
    connect(&m_soon, &QTimer::timeout, this, &PastRunPanel::showNow);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_plan);
    column->addWidget(m_filter);
    column->addWidget(m_events, 2);
    column->addWidget(m_scroll, 3);
}

void PastRunPanel::show(const QString &heading, const QString &words, const AgentView &view) {
    m_heading = heading;
    m_said = words;
    m_view = view;
    if (!m_soon.isActive())
        m_soon.start();
}

void PastRunPanel::showNow() {
    m_head->setTitle(m_heading);
    m_words->setText(m_said);
    m_words->setVisible(!m_said.isEmpty());
    if (m_shown == m_view)
        return;
    m_shown = m_view;
    m_plan->setSteps(m_view.plan);
    m_card->setVisible(m_view.proposal.has_value());
    if (m_view.proposal)
        m_card->setProposal(*m_view.proposal);
    m_ledger->setLedger(m_view.ledger, m_view.ledgerRemark);
}

QString PastRunPanel::said() const {
    return m_said.isEmpty() ? m_heading : m_heading + QStringLiteral(": ") + m_said;
}

void PastRunPanel::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, m_scroll->y(), width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
