// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/empty_state.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int textFlags = Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextWordWrap;

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

int EmptyState::heightOf(const QString &text, const QFont &font) const {
    const QRect room(0, 0, textWidth(), QWIDGETSIZE_MAX);
    return std::max(QFontMetrics(font).boundingRect(room, textFlags, text).height(), m_look.px(20));
}

int EmptyState::whatHeight() const {
    return heightOf(m_what, m_look.font(TextRole::Body, QFont::Medium));
}

int EmptyState::howHeight() const {
    return heightOf(m_how, m_look.font(TextRole::Small));
}

int EmptyState::textTop() const {
    const int height = m_look.px(24 + 12) + whatHeight() + howHeight() + buttonsHeight();
    return std::max(m_look.px(8), (this->height() - height) / 2);
}

int EmptyState::buttonsHeight() const {
    const auto count = static_cast<int>(m_buttons.size());
    return count == 0 ? 0 : m_look.px(12) + count * m_look.px(28) + (count - 1) * m_look.px(8);
}

void EmptyState::place() {
    int top = textTop() + m_look.px(24 + 12) + whatHeight() + howHeight() + m_look.px(12);
    for (ActionButton *button : m_buttons) {
        const QSize hint = button->sizeHint();
        button->resize(std::min(hint.width(), textWidth()), hint.height());
        button->setProperty("elides", button->width() < hint.width()); // its tool tip is the action's
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
    const QRect what((width() - textWidth()) / 2, y, textWidth(), whatHeight());
    painter.setFont(m_look.font(TextRole::Body, QFont::Medium));
    painter.setPen(m_look.color("text.primary"));
    painter.drawText(what, textFlags, m_what);
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color("text.secondary"));
    painter.drawText(QRect(what.left(), what.bottom() + 1, what.width(), howHeight()), textFlags, m_how);
}

} // namespace warpwright
