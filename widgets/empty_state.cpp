// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/empty_state.h"

#include "widgets/action_button.h"
#include "widgets/look.h"

#include <QAction>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int howFlags = Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextWordWrap;

} // namespace

EmptyState::EmptyState(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    connect(&look, &Look::changed, this, [this] {
        place();
        update();
    });
}

void EmptyState::say(const QString &iconName, const QString &what, const QString &how,
                     const QList<QAction *> &actions) {
    if (iconName == m_icon && what == m_what && how == m_how && actions == m_actions)
        return;
    m_icon = iconName;
    m_what = what;
    m_how = how;
    setAccessibleName(what + QStringLiteral(", ") + how);
    // What only tells of progress leaves the buttons, and the focus that may be on one.
    if (std::exchange(m_actions, actions) == actions) {
        place();
        update();
        return;
    }
    qDeleteAll(m_buttons);
    m_buttons.clear();
    setFocusProxy(nullptr);
    for (QAction *action : actions) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, this);
        button->setAction(action);
        button->setIconName(action->property("iconName").toString());
        button->setKey(action->shortcut().toString(QKeySequence::NativeText));
        button->show();
        m_buttons.push_back(button);
    }
    if (!m_buttons.empty())
        setFocusProxy(m_buttons.front());
    place();
    update();
}

void EmptyState::say(const QString &iconName, const QString &what, const QString &how, QAction *action) {
    say(iconName, what, how, action != nullptr ? QList<QAction *>{action} : QList<QAction *>());
}

int EmptyState::textWidth() const {
    return std::max(width() - m_look.px(24), m_look.px(60));
}

int EmptyState::howHeight() const {
    const QFontMetrics metrics(m_look.font(TextRole::Small));
    const int lines = metrics.boundingRect(QRect(0, 0, textWidth(), height()), howFlags, m_how).height();
    return std::max(lines, m_look.px(20));
}

int EmptyState::textTop() const {
    const int height = m_look.px(24 + 12 + 20) + howHeight() + buttonsHeight();
    return std::max(m_look.px(8), (this->height() - height) / 2);
}

int EmptyState::buttonsHeight() const {
    const auto count = static_cast<int>(m_buttons.size());
    return count == 0 ? 0 : m_look.px(12) + count * m_look.px(28) + (count - 1) * m_look.px(8);
}

void EmptyState::place() {
    int top = textTop() + m_look.px(24 + 12 + 20) + howHeight() + m_look.px(12);
    for (ActionButton *button : m_buttons) {
        const QSize hint = button->sizeHint();
        button->resize(std::min(hint.width(), textWidth()), hint.height());
        button->move((width() - button->width()) / 2, top);
        top += m_look.px(28 + 8);
    }
}

void EmptyState::resizeEvent(QResizeEvent *) {
    place();
}

void EmptyState::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.pane"));
    if (m_what.isEmpty())
        return;
    int y = textTop();
    const int icon = m_look.px(24);
    m_look.icon(m_icon, m_look.color("text.tertiary"))
        .paint(&painter, QRect((width() - icon) / 2, y, icon, icon));
    y += m_look.px(24 + 12);
    const QRect line((width() - textWidth()) / 2, y, textWidth(), m_look.px(20));
    painter.setFont(m_look.font(TextRole::Body, QFont::Medium));
    painter.setPen(m_look.color("text.primary"));
    painter.drawText(line, Qt::AlignCenter,
                     painter.fontMetrics().elidedText(m_what, Qt::ElideRight, line.width()));
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color("text.secondary"));
    painter.drawText(QRect(line.left(), line.bottom() + 1, line.width(), howHeight()), howFlags, m_how);
}

} // namespace warpwright
