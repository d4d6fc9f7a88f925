// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/proposal_card.h"

#include "app/ide/kit/card.h"
#include "app/ide/kit/verdict_badge.h"
#include "app/ide/lesson/bet_words.h"
#include "app/ide/review/proposal_face.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"
#include "widgets/look/tool_tip_text.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>

namespace warpwright {
namespace {

VerdictLook badgeOf(ProposalView::State state) {
    switch (state) {
    case ProposalView::UnderReview:
        return {ProposalCard::tr("Under review"), "pending", "text.secondary", "bg.card"};
    case ProposalView::Applied:
        return {ProposalCard::tr("Applied"), "step", "accent.text", "accent.tint"};
    case ProposalView::Accepted:
        return {ProposalCard::tr("Accepted"), "accept", "verdict.pass", "verdictBg.pass"};
    case ProposalView::Rejected:
        return {ProposalCard::tr("Rejected"), "reject", "verdict.wrong", "verdictBg.wrong"};
    case ProposalView::PartlyAccepted:
        return {ProposalCard::tr("Accepted in part"), "accept", "verdict.pass", "verdictBg.pass"};
    case ProposalView::Stale:
        return {ProposalCard::tr("Stale"), "stale", "verdict.stale", "verdictBg.stale"};
    }
    return {};
}

} // namespace

/// The box of the card, with its badge in the upper right corner.
class ProposalCard::Frame : public QWidget {
public:
    Frame(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {}
    void setState(ProposalView::State state) {
        m_state = state;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        // The one that waits for the person has the accent's edge.
        const bool waits = m_state == ProposalView::UnderReview || m_state == ProposalView::Applied;
        drawBox(&painter, rect(), m_look.px(6), m_look.color("bg.card"),
                m_look.color(waits ? "accent.focus" : "border.strong"));
        const VerdictLook badge = badgeOf(m_state);
        const bool isStale = m_state == ProposalView::Stale;
        const int wide = drawVerdictBadge(nullptr, m_look, badge, isStale, 0, 0);
        drawVerdictBadge(&painter, m_look, badge, isStale, width() - wide - m_look.px(8), m_look.px(20));
    }

private:
    const Look &m_look;
    ProposalView::State m_state = ProposalView::UnderReview;
};

ProposalCard::ProposalCard(const Look &look, const QString &acceptKey, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_acceptKey(acceptKey),
      m_frame(new Frame(look, this)),
      m_title(new Words(look, TextRole::Title, "text.primary", m_frame, QFont::DemiBold)),
      m_words(new Words(look, TextRole::Body, "text.secondary", m_frame)),
      m_face(new ProposalFace(look, m_frame)),
      m_accept(new ActionButton(look, ActionButton::Kind::Plain, m_frame)),
      m_reject(new ActionButton(look, ActionButton::Kind::Plain, m_frame)),
      m_goOn(new ActionButton(look, ActionButton::Kind::Plain, m_frame)),
      m_askBet(new ActionButton(look, ActionButton::Kind::Flat, m_frame)),
      m_betRow(new QWidget(m_frame)),
      m_bet(new QLineEdit(m_betRow)),
      m_reveal(new ActionButton(look, ActionButton::Kind::Flat, m_betRow)),
      m_betRemark(new Words(look, TextRole::Small, "text.secondary", m_frame)),
      m_stepRow(new QWidget(m_frame)),
      m_stepWords(new Words(look, TextRole::Small, "text.secondary", m_frame)) {
    setObjectName(QStringLiteral("proposalCard"));
    m_title->setObjectName(QStringLiteral("proposalTitle"));
    m_words->setWordWrap(true);
    m_accept->setObjectName(QStringLiteral("acceptAllButton"));
    m_accept->setText(tr("Accept all"));
    m_accept->setIconName(QStringLiteral("accept"));
    m_accept->setKey(acceptKey);
    m_accept->setSmall(true);
    m_reject->setObjectName(QStringLiteral("rejectAllButton"));
    m_reject->setText(tr("Reject the rest"));
    m_reject->setIconName(QStringLiteral("reject"));
    m_reject->setSmall(true);
    m_goOn->setObjectName(QStringLiteral("cardGoOnButton"));
    m_goOn->setIconName(QStringLiteral("run"));
    m_goOn->setSmall(true);
    m_bet->setObjectName(QStringLiteral("betField"));
    m_bet->setAccessibleName(tr("Your bet on the time"));
    m_reveal->setObjectName(QStringLiteral("revealButton"));
    m_reveal->setText(tr("Show without"));
    m_reveal->setSmall(true);
    m_reveal->setToolTip(tr("Shows the result without a bet"));
    m_askBet->setObjectName(QStringLiteral("askBetButton"));
    m_askBet->setText(tr("Bet before it is measured…"));
    m_askBet->setToolTip(tr("Hides the result until you have said what you expect (Alt+B)"));
    m_askBet->setKey(QStringLiteral("Alt+B"));
    m_askBet->setSmall(true);
    m_betRemark->setObjectName(QStringLiteral("betRemark"));
    m_betRemark->setWordWrap(true);

    m_bets = new QBoxLayout(QBoxLayout::LeftToRight, m_betRow);
    m_bets->setContentsMargins(look.px(12), 0, look.px(8), look.px(4));
    m_bets->setSpacing(look.px(6));
    m_bets->addWidget(m_bet, 1);
    m_bets->addWidget(m_reveal);
    auto *asks = new QHBoxLayout;
    asks->setContentsMargins(look.px(6), 0, look.px(8), 0);
    asks->addWidget(m_askBet);
    asks->addStretch(1);
    buildStepRow();
    m_answers = new QBoxLayout(QBoxLayout::LeftToRight);
    m_answers->setContentsMargins(look.px(8), look.px(8), look.px(8), 0);
    m_answers->setSpacing(look.px(6));
    m_answers->addWidget(m_accept, 0, Qt::AlignLeft);
    m_answers->addWidget(m_reject, 0, Qt::AlignLeft);
    m_answers->addWidget(m_goOn, 0, Qt::AlignLeft);
    m_answers->addStretch(1);
    auto *inner = new QVBoxLayout(m_frame);
    inner->setContentsMargins(1, look.px(10), 1, look.px(12));
    inner->setSpacing(0);
    const auto padded = [&look](QWidget *widget, int below) {
        auto *row = new QHBoxLayout;
        row->setContentsMargins(look.px(12), 0, look.px(12), look.px(below));
        row->addWidget(widget);
        return row;
    };
    inner->addLayout(padded(m_title, 3));
    inner->addLayout(padded(m_words, 8));
    // What waits for the person comes first: the table below may have many rows.
    inner->addWidget(m_betRow);
    inner->addLayout(padded(m_betRemark, 6));
    inner->addWidget(m_face);
    inner->addLayout(asks);
    inner->addSpacing(look.px(6));
    inner->addLayout(padded(m_stepWords, 0));
    inner->addWidget(m_stepRow);
    inner->addLayout(m_answers);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(look.px(12), 0, look.px(12), 0);
    column->setSpacing(look.px(6));
    column->addWidget(m_frame);
    connect(m_accept, &QAbstractButton::clicked, this, &ProposalCard::acceptAllAsked);
    connect(m_reject, &QAbstractButton::clicked, this, &ProposalCard::rejectRestAsked);
    connect(m_goOn, &QAbstractButton::clicked, this, &ProposalCard::goOnAsked);
    connect(m_face, &ProposalFace::hunkPicked, this, &ProposalCard::hunkPicked);
    connect(m_face, &ProposalFace::checkPicked, this, &ProposalCard::checkPicked);
    connect(m_bet, &QLineEdit::returnPressed, this, &ProposalCard::placeBet);
    connect(m_bet, &QLineEdit::textEdited, this, [this] {
        m_hasBetTrouble = false;
        remarkBet();
    });
    connect(m_reveal, &QAbstractButton::clicked, this, &ProposalCard::revealAsked);
    connect(m_askBet, &QAbstractButton::clicked, this, &ProposalCard::betAsked);
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

// What each does stands in its tooltip, and in a sentence above for all three.
void ProposalCard::buildStepRow() {
    m_stepWords->setObjectName(QStringLiteral("stepWords"));
    m_stepWords->setWordWrap(true);
    auto *row = new QHBoxLayout(m_stepRow);
    row->setContentsMargins(m_look.px(8), m_look.px(8), m_look.px(8), 0);
    row->setSpacing(m_look.px(6));
    const auto add = [&](const char *name, const QString &text, const char *icon, const QString &tip,
                         void (ProposalCard::*asked)()) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, m_stepRow);
        button->setObjectName(QLatin1String(name));
        button->setText(text);
        button->setSmall(true);
        button->setToolTip(tip);
        m_stepButtons.emplace_back(button, QLatin1String(icon));
        row->addWidget(button);
        connect(button, &QAbstractButton::clicked, this, asked);
    };
    add("keepStepButton", tr("Keep"), "accept", tr("The run goes on from this text (Alt+K)"),
        &ProposalCard::keepAsked);
    add("branchStepButton", tr("Branch"), "branch",
        tr("The text before comes back; this one stays beside it as a branch, and the agent is told so "
           "(Alt+Shift+K)"),
        &ProposalCard::branchAsked);
    add("revertStepButton", tr("Revert"), "undo",
        tr("The text before comes back, and the agent is told that you did not want this (Alt+U)"),
        &ProposalCard::revertAsked);
    row->addStretch(1);
}

const QWidget *ProposalCard::betRemark() const {
    return m_betRemark;
}

void ProposalCard::focusBet() {
    m_bet->setFocus(Qt::OtherFocusReason);
}

void ProposalCard::setProposal(const ProposalView &proposal) {
    if (proposal.number != m_proposal.number) {
        m_bet->clear();
        m_hasBetTrouble = false;
    }
    m_proposal = proposal;
    m_frame->setState(proposal.state);
    m_title->setText(tr("Proposal %1").arg(proposal.number));
    QString remark = proposal.baseRemark;
    if (!remark.isEmpty())
        remark = QStringLiteral(" %1%2.").arg(remark.at(0).toUpper()).arg(remark.mid(1));
    m_words->setText(proposal.words + remark);
    m_face->setProposal(proposal);
    m_askBet->setVisible(proposal.canBet);
    m_betRow->setVisible(proposal.asksBet);
    m_reveal->setVisible(proposal.bet.isEmpty()); // a bet shows it as soon as there is one
    m_stepRow->setVisible(proposal.stepBase > 0);
    m_stepWords->setVisible(proposal.stepBase > 0);
    m_stepWords->setText(
        tr("Keep goes on from it. Branch and Revert bring the text of iteration %1 back; with "
           "Branch the agent is told that it is worth keeping beside.")
            .arg(proposal.stepBase));
    m_bet->setPlaceholderText(proposal.nowMicroseconds > 0 ? betQuestion(proposal.nowMicroseconds)
                                                           : tr("no time to bet from yet"));
    m_bet->setToolTip(toolTipText(tr("Your bet: %1").arg(betForms(proposal.nowMicroseconds))));
    fitBet();
    // A complaint about a bet stays until the next try.
    if (!m_hasBetTrouble || !proposal.asksBet) {
        m_hasBetTrouble = false;
        remarkBet();
    }
    for (ActionButton *button : {m_accept, m_reject}) {
        button->setEnabled(proposal.canDecide);
        button->setToolTip(!proposal.canDecide  ? button->text() + QStringLiteral(": ") + proposal.whyNot
                           : button == m_reject ? proposal.restWords
                                                : button->text());
    }
    using Hunk = ProposalView::Hunk;
    const bool isOpen =
        !m_isPast && proposal.stepBase == 0 &&
        (proposal.state == ProposalView::UnderReview || proposal.state == ProposalView::Stale);
    const auto all = [&proposal](const auto &test) {
        return !proposal.hunks.empty() && std::all_of(proposal.hunks.begin(), proposal.hunks.end(), test);
    };
    const bool isAnswered = all([](const Hunk &hunk) { return hunk.mark != Hunk::Open; });
    for (QWidget *widget : std::initializer_list<QWidget *>{m_accept, m_reject})
        widget->setVisible(isOpen && !isAnswered);
    m_goOn->setVisible(!m_isPast && proposal.stepBase == 0 && proposal.canDecide && isAnswered);
    m_goOn->setText(all([](const Hunk &hunk) { return hunk.mark == Hunk::Rejected; })
                        ? tr("Go on")
                        : tr("Apply and go on"));
    m_frame->setAccessibleName(m_title->text() + QStringLiteral(", ") + badgeOf(proposal.state).word);
    updateGeometry();
}

// How a bet is written is read before it is typed: it is not cut for the button beside it.
void ProposalCard::fitBet() {
    const int asked = m_bet->fontMetrics().horizontalAdvance(m_bet->placeholderText()) + m_look.px(24) +
                      m_reveal->sizeHint().width() + m_look.px(6 + 12 + 8 + 24 + 2);
    const bool isBelow = asked > width();
    m_bets->setDirection(isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_bets->setAlignment(m_reveal, isBelow ? Qt::AlignLeft : Qt::Alignment());
}

void ProposalCard::resizeEvent(QResizeEvent *) {
    fitBet();
    // The key leaves before a word is cut.
    m_accept->setKey(m_acceptKey);
    const int asked =
        m_accept->sizeHint().width() + m_reject->sizeHint().width() + m_look.px(6 + 16 + 24 + 2);
    if (asked > width())
        m_accept->setKey({});
    // Where both do not fit beside each other they stand below each other, rather than cut.
    const int bare = m_accept->sizeHint().width() + m_reject->sizeHint().width() + m_look.px(6 + 16 + 24 + 2);
    m_answers->setDirection(bare > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    // And so do icons.
    int wide = m_look.px(2 * (12 + 8) + 2);
    for (const auto &[button, icon] : m_stepButtons) {
        button->setIconName(icon);
        wide += button->sizeHint().width() + m_look.px(6);
    }
    if (wide > width())
        for (const auto &[button, icon] : m_stepButtons)
            button->setIconName({});
}

void ProposalCard::placeBet() {
    const double now = m_proposal.nowMicroseconds;
    if (!m_proposal.bet.isEmpty() && m_bet->text().trimmed().isEmpty())
        return emit betTakenBack();
    const std::optional<Bet> bet = betIn(m_bet->text(), now);
    m_hasBetTrouble = !bet;
    if (bet) {
        const double time = bet->microseconds;
        emit betPlaced(time - now, bet->low.value_or(time) - now, bet->high.value_or(time) - now);
        return;
    }
    m_betRemark->setToken("verdict.wrong");
    const QString question = unitQuestion(m_bet->text(), m_proposal.unit);
    m_betRemark->setText(
        question.isEmpty() ? tr("“%1” is no bet. Write %2.").arg(m_bet->text(), betForms(now)) : question);
    m_betRemark->show();
}

// What was typed is told as it is understood, before it counts.
void ProposalCard::remarkBet() {
    const double now = m_proposal.nowMicroseconds;
    const std::optional<Bet> typed = m_proposal.asksBet && now > 0 ? betIn(m_bet->text(), now) : std::nullopt;
    const QString understood = typed && typed->microseconds > 0 ? betText(*typed, now) : QString();
    const QString question = m_proposal.asksBet ? unitQuestion(m_bet->text(), m_proposal.unit) : QString();
    const QString &bet = m_proposal.bet;
    m_betRemark->setToken("text.secondary");
    m_betRemark->setText(
        !bet.isEmpty() && !m_proposal.asksBet        ? tr("You bet %1").arg(bet)
        : !question.isEmpty()                        ? question
        : !understood.isEmpty() && bet.isEmpty()     ? tr("Enter bets %1.").arg(understood)
        : !understood.isEmpty() && bet != understood ? tr("Enter bets %1 instead.").arg(understood)
        : !bet.isEmpty()
            ? tr("You bet %1. Until it is measured, another bet takes its place; Enter in the empty field "
                 "takes it back.")
                  .arg(bet)
        : m_proposal.asksBet ? tr("The result stays hidden until you bet, or show it without.")
                             : QString());
    m_betRemark->setVisible(!m_betRemark->text().isEmpty());
}

void ProposalCard::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
