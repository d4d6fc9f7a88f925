// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/agent_panel.h"

#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/ledger_section.h"
#include "app/ide/agent/message_list.h"
#include "app/ide/agent/message_queue.h"
#include "app/ide/agent/note_line.h"
#include "app/ide/agent/plan_list.h"
#include "app/ide/agent/prompt_card.h"
#include "app/ide/agent/proposal_card.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/empty_state.h"
#include "widgets/look/look.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace warpwright {
namespace {

constexpr int mostLedgerRows = 4;

} // namespace

AgentPanel::AgentPanel(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_events(new AgentEventModel(this)),
      m_pages(new QStackedLayout(this)),
      m_empty(new EmptyState(look, this)) {
    setObjectName(QStringLiteral("agentPanel"));
    auto *content = new QWidget(this);
    m_plan = new PlanList(look, content);
    m_messages = new MessageList(look, *m_events, content);
    m_note = new NoteLine(look, content);
    m_prompt = new PromptCard(look, content);
    m_queue = new MessageQueue(look, content);
    m_tail = new QWidget;
    m_card = new ProposalCard(look, QStringLiteral("Alt+Shift+Y"), m_tail);
    m_ledger = new LedgerSection(look, mostLedgerRows, m_tail);
    auto *below = new QVBoxLayout(m_tail);
    below->setContentsMargins(0, look.px(4), 0, look.px(4));
    below->setSpacing(0);
    below->addWidget(m_card);
    below->addSpacing(look.px(12));
    below->addWidget(m_ledger);
    m_choices = new QWidget(m_tail);
    m_choices->setObjectName(QStringLiteral("runChoices"));
    auto *choices = new QVBoxLayout(m_choices);
    choices->setContentsMargins(look.px(12), look.px(8), look.px(12), look.px(8));
    choices->setSpacing(look.px(6));
    m_choices->hide();
    below->addWidget(m_choices);
    below->addStretch(1);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_plan);
    column->addWidget(m_messages, 1);
    m_newBelow = new ActionButton(look, ActionButton::Kind::Plain, content);
    m_newBelow->setObjectName(QStringLiteral("newBelowButton"));
    m_newBelow->setText(tr("New proposal below"));
    m_newBelow->setIconName(QStringLiteral("chevron-down"));
    m_newBelow->setSmall(true);
    m_newBelow->hide();
    column->addWidget(m_newBelow, 0, Qt::AlignHCenter);
    connect(m_newBelow, &QAbstractButton::clicked, this, [this] {
        m_newBelow->hide();
        m_messages->goToLast();
        if (m_view.proposal && m_view.proposal->asksBet)
            showBet();
    });
    connect(m_messages->verticalScrollBar(), &QAbstractSlider::valueChanged, m_newBelow, [this] {
        if (m_messages->isAtEnd())
            m_newBelow->hide();
    });
    column->addWidget(m_note);
    column->addWidget(m_prompt);
    column->addWidget(m_queue);
    m_messages->setTail(m_tail);
    m_tail->installEventFilter(this);
    m_pages->setContentsMargins(0, 0, 0, 0);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(content);
    connect(m_card, &ProposalCard::acceptAllAsked, this, &AgentPanel::acceptAllAsked);
    connect(m_card, &ProposalCard::rejectRestAsked, this, &AgentPanel::rejectRestAsked);
    connect(m_card, &ProposalCard::goOnAsked, this, &AgentPanel::goOnAsked);
    connect(m_card, &ProposalCard::hunkPicked, this, &AgentPanel::hunkPicked);
    connect(m_card, &ProposalCard::checkPicked, this, &AgentPanel::checkPicked);
    connect(m_card, &ProposalCard::betPlaced, this, &AgentPanel::betPlaced);
    connect(m_card, &ProposalCard::betTakenBack, this, &AgentPanel::betTakenBack);
    connect(m_card, &ProposalCard::revealAsked, this, &AgentPanel::revealAsked);
    connect(m_card, &ProposalCard::betAsked, this, &AgentPanel::betAsked);
    connect(m_card, &ProposalCard::keepAsked, this, &AgentPanel::keepAsked);
    connect(m_card, &ProposalCard::branchAsked, this, &AgentPanel::branchAsked);
    connect(m_card, &ProposalCard::revertAsked, this, &AgentPanel::revertAsked);
    connect(m_queue, &MessageQueue::queueAsked, this, &AgentPanel::queueAsked);
    connect(m_queue, &MessageQueue::sendAsked, this, &AgentPanel::sendAsked);
    connect(m_queue, &MessageQueue::editAsked, this, &AgentPanel::queuedEdited);
    connect(m_queue, &MessageQueue::removeAsked, this, &AgentPanel::queuedRemoved);
    connect(m_prompt, &PromptCard::answered, this, &AgentPanel::promptAnswered);
    connect(m_messages, &MessageList::linkActivated, this, &AgentPanel::linkActivated);
}

AgentPanel::~AgentPanel() = default;

void AgentPanel::showEmpty(const QString &what, const QString &how, const QList<QAction *> &actions) {
    m_view = {};
    m_empty->say(QStringLiteral("playbook"), what, how, actions);
    m_pages->setCurrentIndex(0);
}

void AgentPanel::setChoices(const QList<QAction *> &actions) {
    auto *column = static_cast<QVBoxLayout *>(m_choices->layout());
    while (QLayoutItem *item = column->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may have been the one that was pressed
        delete item;
    }
    for (QAction *action : actions) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, m_choices);
        button->setAction(action);
        button->setIconName(action->property("iconName").toString());
        button->setSmall(true);
        column->addWidget(button, 0, Qt::AlignLeft);
    }
    m_choices->setVisible(!actions.isEmpty());
}

void AgentPanel::setReader(const QString &who, const QString &enter) {
    m_queue->setReader(who, enter);
}

void AgentPanel::goToEvent(int row) {
    m_messages->showRow(row);
    m_messages->setFocus(Qt::OtherFocusReason);
}

void AgentPanel::focusBet() {
    m_card->focusBet();
}

void AgentPanel::focusPrompt() {
    m_prompt->focusAnswer();
}

QString AgentPanel::unsent() const {
    return m_queue->unsent();
}

void AgentPanel::setUnsent(const QString &text) {
    m_queue->setUnsent(text);
}

void AgentPanel::compose(const QString &text) {
    const QString typed = unsent().trimmed();
    setUnsent(typed.isEmpty() ? text : typed + QStringLiteral("\n\n") + text);
    m_queue->focusBox();
}

void AgentPanel::setView(const AgentView &view) {
    // A note alone comes many times a second.
    const QString note = std::exchange(m_view.note, view.note);
    if (note != view.note && m_view == view && m_pages->currentIndex() == 1)
        return m_note->say(view.note);
    const bool waitsForBet = view.proposal && view.proposal->asksBet;
    const bool waitedForBet = m_view.proposal && m_view.proposal->asksBet;
    const bool isOtherProposal = view.proposal != m_view.proposal;
    const bool isNew =
        view.proposal && (!m_view.proposal || m_view.proposal->number != view.proposal->number);
    m_view = view;
    m_plan->setSteps(view.plan);
    m_card->setVisible(view.proposal.has_value());
    if (view.proposal && isOtherProposal)
        m_card->setProposal(*view.proposal);
    m_ledger->setLedger(view.ledger, view.ledgerRemark);
    m_note->setVisible(view.hasNotes);
    m_note->say(view.note);
    m_prompt->setPrompt(view.prompt);
    m_queue->setQueue(view.queue, view.whyNoMessages);
    m_pages->setCurrentIndex(1);
    m_messages->refit();
    if (!view.proposal) { // whoever read of the last one has answered it
        m_newBelow->hide();
        m_messages->forgetReading();
    }
    const bool asksNow = waitsForBet && (isNew || !waitedForBet);
    if (!asksNow && (!isNew || m_messages->isAtEnd()))
        return;
    if (m_messages->isBeingRead())
        m_newBelow->show();
    else if (asksNow)
        QMetaObject::invokeMethod(this, &AgentPanel::showBet, Qt::QueuedConnection);
    else // once the card has its height
        QMetaObject::invokeMethod(m_messages, &MessageList::goToLast, Qt::QueuedConnection);
}

// It waits for the person, and may be far above the end.
void AgentPanel::showBet() {
    m_messages->goToLast();
    m_messages->showInTail(m_card, m_card->betRemark());
}

bool AgentPanel::eventFilter(QObject *watched, QEvent *event) {
    // The card has words of its own that come and go.
    if (watched == m_tail && event->type() == QEvent::LayoutRequest)
        QMetaObject::invokeMethod(m_messages, &MessageList::refit, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

void AgentPanel::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
