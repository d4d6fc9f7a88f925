// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/reason_bar.h"

#include "app/ide/kit/card.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include <utility>

namespace warpwright {

ReasonBar::ReasonBar(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_words(new Words(look, TextRole::Small, "text.primary", this)),
      m_field(new QLineEdit(this)) {
    setObjectName(QStringLiteral("reasonBar"));
    m_field->setObjectName(QStringLiteral("reasonField"));
    m_field->setPlaceholderText(tr("Why? Optional; the agent is told. Enter keeps it, Esc leaves it out"));
    m_field->installEventFilter(this);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(look.px(12), look.px(4), look.px(12), look.px(4));
    row->setSpacing(look.px(8));
    row->addWidget(m_words);
    row->addWidget(m_field, 1);
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        keep();
        emit left();
    });
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void ReasonBar::ask(const std::vector<int> &hunks, const QString &words) {
    keep();
    if (hunks.empty())
        return;
    m_hunks = hunks;
    m_words->setText(words);
    m_field->setAccessibleName(tr("%1: why, optional").arg(words));
    holdPlace(true);
    show();
    m_field->setFocus(Qt::OtherFocusReason);
}

void ReasonBar::keep() {
    const QString reason = m_field->text().trimmed();
    const std::vector<int> hunks = std::exchange(m_hunks, {});
    drop();
    if (!reason.isEmpty() && !hunks.empty())
        emit given(hunks, reason);
}

void ReasonBar::drop() {
    m_hunks.clear();
    m_field->clear();
    hide();
}

void ReasonBar::leavePlace() {
    drop();
    holdPlace(false);
}

void ReasonBar::holdPlace(bool isHeld) {
    QSizePolicy policy = sizePolicy();
    policy.setRetainSizeWhenHidden(isHeld);
    setSizePolicy(policy);
}

bool ReasonBar::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QWidget::eventFilter(watched, event);
    auto *key = static_cast<QKeyEvent *>(event);
    const bool isEscape = key->key() == Qt::Key_Escape;
    const bool isUndo = key->matches(QKeySequence::Undo) && !m_field->isUndoAvailable();
    if (!isEscape && !isUndo)
        return QWidget::eventFilter(watched, event);
    event->accept(); // before a shortcut of the window takes it
    if (event->type() == QEvent::ShortcutOverride)
        return true;
    const std::vector<int> hunks = m_hunks;
    drop();
    if (isUndo)
        emit undoAsked(hunks);
    else
        emit left();
    return true;
}

void ReasonBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, 0, width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
