// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/past_run_panel.h"

#include "app/ide/card.h"
#include "app/ide/ledger_section.h"
#include "app/ide/plan_list.h"
#include "app/ide/proposal_card.h"
#include "app/ide/run_event_list.h"
#include "widgets/pane.h"

#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int mostLedgerRows = 6;

} // namespace

PastRunPanel::PastRunPanel(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_plan(new PlanList(look, this)),
      m_events(new RunEventList(look, this)) {
    setObjectName(QStringLiteral("pastRunPanel"));
    auto *below = new QWidget;
    m_head = new SectionHead(look, tr("Event"), below);
    m_words = new Words(look, TextRole::Small, "text.primary", below);
    m_words->setObjectName(QStringLiteral("eventWords"));
    m_words->setProse();
    m_words->setTextFormat(Qt::PlainText);
    m_words->setContentsMargins(look.px(12), 0, look.px(12), look.px(8));
    m_card = new ProposalCard(look, QString(), below);
    m_card->setPast();
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
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_plan);
    column->addWidget(m_events, 2);
    column->addWidget(m_scroll, 3);
}

void PastRunPanel::show(const QString &heading, const QString &words, const AgentView &view) {
    m_head->setTitle(heading);
    m_words->setText(words);
    m_words->setVisible(!words.isEmpty());
    if (m_view == view)
        return;
    m_view = view;
    m_plan->setSteps(view.plan);
    m_card->setVisible(view.proposal.has_value());
    if (view.proposal)
        m_card->setProposal(*view.proposal);
    m_ledger->setLedger(view.ledger, view.ledgerRemark);
}

void PastRunPanel::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, m_scroll->y(), width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
