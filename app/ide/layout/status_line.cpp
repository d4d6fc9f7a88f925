// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/status_line.h"

#include "app/ide/kit/actions.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <utility>

namespace warpwright {

StatusLine::StatusLine(const Look &look, const Actions &actions, QWidget *parent)
    : QWidget(parent), m_look(look), m_actions(actions) {
    setObjectName(QStringLiteral("statusLine"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void StatusLine::setState(const QString &iconName, const char *token, const QString &text) {
    if (iconName == m_icon && qstrcmp(token, m_token) == 0 && text == m_state)
        return;
    m_icon = iconName;
    m_token = token;
    m_state = text;
    setAccessibleName(text);
    update();
}

void StatusLine::setMachine(const QString &text) {
    m_machine = text;
    update();
}

void StatusLine::setPlace(const QString &text) {
    if (text == m_place)
        return;
    m_place = text;
    update();
}

void StatusLine::setSaved(const QString &text) {
    m_saved = text;
    update();
}

void StatusLine::setLanguage(const QString &text, bool isTrouble) {
    if (text == m_language && isTrouble == m_isLanguageTrouble)
        return;
    m_language = text;
    m_isLanguageTrouble = isTrouble;
    setAccessibleDescription(text);
    update();
}

QSize StatusLine::sizeHint() const {
    return {m_look.px(400), m_look.px(24)};
}

void StatusLine::mousePressEvent(QMouseEvent *event) {
    if (m_commands.contains(event->pos()))
        m_actions.commands->trigger();
    else if (m_bell.contains(event->pos()))
        m_actions.notices->trigger();
    else if (m_languageRect.contains(event->pos()) && m_isLanguageTrouble)
        m_actions.restartLanguage->trigger();
}

// What a click would do, and its key.
bool StatusLine::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto named = [](const QAction &action) {
        const QString key = action.shortcut().toString(QKeySequence::NativeText);
        return key.isEmpty() ? action.text() : QStringLiteral("%1 (%2)").arg(action.text(), key);
    };
    QString tip;
    if (m_commands.contains(help->pos()))
        tip = named(*m_actions.commands);
    else if (m_bell.contains(help->pos()))
        tip = m_unread > 0 ? tr("%1: %2 not read").arg(named(*m_actions.notices)).arg(m_unread)
                           : named(*m_actions.notices);
    else if (m_languageRect.contains(help->pos()))
        tip = m_isLanguageTrouble ? tr("%1. A click: %2").arg(m_language, named(*m_actions.restartLanguage))
                                  : m_language;
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), toolTipText(tip), this);
    return true;
}

void StatusLine::setNotices(int unread) {
    if (std::exchange(m_unread, unread) != unread)
        update();
}

void StatusLine::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, 0, width(), 1, m_look.color("border.normal"));
    painter.setFont(m_look.font(TextRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();

    int right = width() - m_look.px(12);
    painter.setPen(m_look.color("text.secondary"));
    const QString commands = tr("commands");
    const QString key = m_actions.commands->shortcut().toString(QKeySequence::NativeText);
    right -= metrics.horizontalAdvance(commands);
    painter.drawText(QRect(right, 0, m_look.px(100), height()), Qt::AlignVCenter, commands);
    const int keyEnd = right - m_look.px(6);
    right = keyEnd - drawKeyCap(nullptr, m_look, key, 0, 0, {}, {});
    drawKeyCap(&painter, m_look, key, right, height() / 2, m_look.color("text.secondary"),
               m_look.color("border.normal"));
    m_commands = QRect(right, 0, width() - right, height());
    painter.setFont(m_look.font(TextRole::Small));
    // The notices that were told and not read: their number stands beside the bell.
    const QString unread = m_unread > 0 ? QString::number(m_unread) : QString();
    const int bell = m_look.px(14);
    const int bellEnd = right - m_look.px(16);
    right = bellEnd - metrics.horizontalAdvance(unread) - (unread.isEmpty() ? 0 : m_look.px(4)) - bell;
    m_look.icon(QStringLiteral("bell"), m_look.color(m_unread > 0 ? "accent.text" : "text.secondary"))
        .paint(&painter, QRect(right, (height() - bell) / 2, bell, bell));
    painter.setPen(m_look.color("accent.text"));
    painter.drawText(QRect(right + bell + m_look.px(4), 0, bellEnd - right, height()), Qt::AlignVCenter,
                     unread);
    m_bell = QRect(right - m_look.px(4), 0, bellEnd - right + m_look.px(8), height());
    painter.setPen(m_look.color("text.secondary"));
    for (const QString &text : {m_saved, m_place}) {
        if (text.isEmpty())
            continue;
        right -= metrics.horizontalAdvance(text) + m_look.px(16);
        painter.drawText(QRect(right, 0, width() - right, height()), Qt::AlignVCenter, text);
    }
    m_languageRect = {};
    // What the workspace's state is comes before the name of a server that does what it should.
    const int stateEnd = m_look.px(10 + 14 + 6) + metrics.horizontalAdvance(m_state);
    const bool hasRoom =
        m_isLanguageTrouble || stateEnd + metrics.horizontalAdvance(m_language) + 2 * m_look.px(16) <= right;
    if (!m_language.isEmpty() && hasRoom) {
        const int mark = m_isLanguageTrouble ? m_look.px(18) : 0;
        const QString shown = metrics.elidedText(m_language, Qt::ElideRight, m_look.px(320));
        right -= metrics.horizontalAdvance(shown) + mark + m_look.px(16);
        if (m_isLanguageTrouble)
            m_look.icon(QStringLiteral("warning"), m_look.color("verdict.buildFailed"))
                .paint(&painter, QRect(right, (height() - m_look.px(14)) / 2, m_look.px(14), m_look.px(14)));
        painter.drawText(QRect(right + mark, 0, width() - right - mark, height()), Qt::AlignVCenter, shown);
        m_languageRect = QRect(right, 0, metrics.horizontalAdvance(shown) + mark, height());
    }
    int x = m_look.px(10);
    const int icon = m_look.px(14);
    m_look.icon(m_icon, m_look.color(m_token)).paint(&painter, QRect(x, (height() - icon) / 2, icon, icon));
    x += icon + m_look.px(6);
    const auto write = [&](const QString &text) {
        painter.drawText(QRect(x, 0, std::max(0, right - x), height()), Qt::AlignVCenter, text);
        x += metrics.horizontalAdvance(text) + m_look.px(16);
    };
    const auto room = [&] {
        return std::max(0, right - x - m_look.px(16));
    };
    write(metrics.elidedText(m_state, Qt::ElideRight, room()));
    // Of the machine whole parts, the first ones: half a version says nothing.
    const QString between = QStringLiteral(" · ");
    QStringList parts = m_machine.split(between);
    while (!parts.isEmpty() && metrics.horizontalAdvance(parts.join(between)) > room())
        parts.removeLast();
    if (!parts.isEmpty())
        write(parts.join(between));
}

} // namespace warpwright
