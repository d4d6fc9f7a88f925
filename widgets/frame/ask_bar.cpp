// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/ask_bar.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>

namespace warpwright {

AskBar::AskBar(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_question(new QLabel(this)),
      m_field(new QLineEdit(this)),
      m_error(new QLabel(this)),
      m_choices(new QWidget(this)) {
    setObjectName(QStringLiteral("askBar"));
    m_field->setObjectName(QStringLiteral("askField"));
    m_field->installEventFilter(this);
    m_field->setMaximumWidth(look.px(320));
    m_question->setWordWrap(true);
    m_error->setWordWrap(true);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(look.px(12), look.px(6), look.px(12), look.px(6));
    row->setSpacing(look.px(8));
    row->addWidget(m_question);
    row->addWidget(m_field, 1);
    row->addWidget(m_error, 1);
    row->addStretch(0);
    row->addWidget(m_choices);
    auto *choices = new QHBoxLayout(m_choices);
    choices->setContentsMargins(0, 0, 0, 0);
    choices->setSpacing(look.px(6));
    hide();
}

void AskBar::clearChoices() {
    for (QWidget *child : m_choices->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
        child->deleteLater();
}

void AskBar::ask(const QString &question, const QString &proposal,
                 std::function<QString(const QString &)> answer) {
    clearChoices();
    m_before = QApplication::focusWidget();
    m_answer = std::move(answer);
    m_question->setText(question);
    m_question->setWordWrap(false);
    m_question->setFont(m_look.font(TextRole::Small, QFont::Medium));
    m_field->setAccessibleName(question);
    m_field->setText(proposal);
    m_field->selectAll();
    m_field->setProperty("isBad", false);
    m_field->show();
    m_error->clear();
    m_error->setFont(m_look.font(TextRole::Small));
    QPalette palette = m_error->palette();
    palette.setColor(QPalette::WindowText, m_look.color("verdict.wrong"));
    m_error->setPalette(palette);
    m_choices->hide();
    show();
    m_field->setFocus();
}

void AskBar::offer(const QString &statement, const std::vector<Choice> &choices) {
    clearChoices();
    m_before = QApplication::focusWidget();
    m_question->setText(statement);
    m_question->setWordWrap(true);
    m_question->setFont(m_look.font(TextRole::Small));
    m_field->hide();
    m_error->clear();
    for (const Choice &choice : choices) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, m_choices);
        button->setText(choice.name);
        button->setSmall(true);
        button->setObjectName(QStringLiteral("choice:") + choice.name);
        m_choices->layout()->addWidget(button);
        connect(button, &QAbstractButton::clicked, this, [this, act = choice.act] {
            close();
            act();
        });
    }
    m_choices->show();
    show();
}

void AskBar::close() {
    hide();
    if (m_before)
        m_before->setFocus();
}

bool AskBar::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Escape) {
        close();
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        const QString wrong = m_answer(m_field->text());
        m_field->setProperty("isBad", !wrong.isEmpty());
        m_error->setText(wrong);
        m_field->update();
        if (wrong.isEmpty())
            close();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void AskBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
