// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/prompt_card.h"

#include "app/ide/kit/card.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int edge = 12;             // around the frame
constexpr int inside = 10;           // between the frame and what is in it
constexpr int tallestQuestion = 150; // more of it is scrolled

} // namespace

PromptCard::PromptCard(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_title(new Words(look, TextRole::Body, "text.primary", this, QFont::DemiBold)),
      m_more(new Words(look, TextRole::Small, "text.tertiary", this)),
      m_question(new Words(look, TextRole::Body, "text.primary", nullptr)),
      m_scroll(new QScrollArea(this)),
      m_answers(new QVBoxLayout),
      m_refusal(new Words(look, TextRole::Small, "text.secondary", this)) {
    setObjectName(QStringLiteral("promptCard"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_title->setObjectName(QStringLiteral("promptTitle"));
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_question->setObjectName(QStringLiteral("promptQuestion"));
    m_question->setProse();
    m_question->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_refusal->setObjectName(QStringLiteral("promptRefusal"));
    m_refusal->setProse();
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(m_question);
    m_question->setAutoFillBackground(false); // the card is its ground
    m_scroll->viewport()->setAutoFillBackground(false);
    m_answers->setSpacing(look.px(6));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(23), 0, 0, 0); // the icon stands there
    head->setSpacing(look.px(8));
    head->addWidget(m_title, 1);
    head->addWidget(m_more);
    auto *column = new QVBoxLayout(this);
    const int side = look.px(edge + inside);
    column->setContentsMargins(side, look.px(6 + inside), side, look.px(8 + inside));
    column->setSpacing(look.px(8));
    column->addLayout(head);
    column->addWidget(m_scroll);
    column->addLayout(m_answers);
    column->addWidget(m_refusal);
    hide();
    connect(&look, &Look::changed, this, [this] {
        fitQuestion();
        update();
    });
}

void PromptCard::setPrompt(const std::optional<ShownPrompt> &prompt) {
    if (prompt == m_prompt)
        return;
    const bool isOther =
        !prompt || !m_prompt || prompt->id != m_prompt->id || prompt->epoch != m_prompt->epoch;
    m_prompt = prompt;
    if (!prompt)
        return hide();
    m_more->setText(prompt->more > 0 ? tr("and %1 more").arg(prompt->more) : QString());
    if (!isOther)
        return;
    m_since.start();
    fill();
    show();
}

void PromptCard::fill() {
    m_title->setText(tr("%1 asks you").arg(m_prompt->who));
    m_question->setText(m_prompt->question);
    m_refusal->setText(m_prompt->refusal);
    setAccessibleName(m_title->text() + QStringLiteral(": ") + m_prompt->question);
    for (ActionButton *button : m_buttons)
        button->deleteLater(); // the press that answered the one before comes from it
    m_buttons.clear();
    for (const QString &option : m_prompt->options) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, this);
        button->setObjectName(QStringLiteral("promptAnswer-") + option);
        button->setText(option);
        button->setToolTip(option);
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(button, &QAbstractButton::clicked, this, [this, option] {
            if (!m_prompt || !m_since.hasExpired(settleMs))
                return;
            const ShownPrompt asked = *m_prompt; // the next one may take its place before this is over
            emit answered(asked.id, asked.epoch, option);
        });
        m_answers->addWidget(button);
        button->show();
        m_buttons.push_back(button);
    }
    for (std::size_t at = 1; at < m_buttons.size(); ++at)
        setTabOrder(m_buttons[at - 1], m_buttons[at]);
    m_scroll->verticalScrollBar()->setValue(0);
    fitQuestion();
}

void PromptCard::focusAnswer() {
    if (m_buttons.empty() || !m_prompt)
        return;
    m_buttons.front()->setFocus(Qt::ShortcutFocusReason);
}

void PromptCard::fitQuestion() {
    if (m_question->text().isEmpty())
        return;
    const int wide = std::max(m_look.px(60), width() - 2 * m_look.px(edge + inside));
    m_scroll->setFixedHeight(std::min(m_question->heightForWidth(wide), m_look.px(tallestQuestion)));
}

void PromptCard::resizeEvent(QResizeEvent *) {
    fitQuestion();
}

void PromptCard::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    const QRect frame = rect().adjusted(m_look.px(edge), m_look.px(6), -m_look.px(edge), -m_look.px(8));
    drawBox(&painter, frame, m_look.px(6), m_look.color("accent.tint"), m_look.color("accent.focus"));
    const int icon = m_look.px(16);
    m_look.icon(QStringLiteral("person"), m_look.color("accent.text"))
        .paint(&painter, frame.left() + m_look.px(inside), m_title->geometry().center().y() - icon / 2, icon,
               icon);
}

} // namespace warpwright
