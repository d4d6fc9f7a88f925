// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/action_button.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QFocusEvent>
#include <QPainter>

namespace warpwright {

int drawKeyCap(QPainter *painter, const Look &look, const QString &key, int x, int centreY, const QColor &ink,
               const QColor &edge) {
    const QFont font = look.font(TextRole::Axis, QFont::Medium);
    const QFontMetrics metrics(font);
    const int width = metrics.horizontalAdvance(key) + look.px(8);
    if (painter != nullptr) {
        const int height = look.px(16);
        const QRect box(x, centreY - height / 2, width, height);
        drawBox(painter, box, look.px(3), {}, edge);
        painter->setFont(font);
        painter->setPen(ink);
        painter->drawText(box, Qt::AlignCenter, key);
    }
    return width;
}

ActionButton::ActionButton(const Look &look, Kind kind, QWidget *parent)
    : QAbstractButton(parent), m_look(look), m_kind(kind) {
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void ActionButton::setKind(Kind kind) {
    m_kind = kind;
    update();
}

void ActionButton::setIconName(const QString &name, const char *token) {
    m_icon = name;
    m_iconToken = token;
    updateGeometry();
    update();
}

void ActionButton::setKey(const QString &key) {
    m_key = key;
    updateGeometry();
    update();
}

void ActionButton::setHasMenu(bool hasMenu) {
    m_hasMenu = hasMenu;
    updateGeometry();
}

void ActionButton::setSmall(bool isSmall) {
    m_isSmall = isSmall;
    updateGeometry();
}

void ActionButton::setEmphasis(bool isBold) {
    m_isBold = isBold;
    updateGeometry();
}

void ActionButton::setAction(QAction *action, bool showsText) {
    m_action = action;
    m_showsText = showsText;
    connect(action, &QAction::changed, this, &ActionButton::follow);
    connect(this, &QAbstractButton::clicked, action, &QAction::trigger);
    follow();
}

void ActionButton::follow() {
    if (!m_action)
        return;
    setEnabled(m_action->isEnabled());
    setCheckable(m_action->isCheckable());
    setChecked(m_action->isChecked());
    const QString text = m_action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
    if (m_showsText)
        setText(text);
    setAccessibleName(text);
    const QString reason = m_action->property("whyDisabled").toString();
    const QString key = m_action->shortcut().toString(QKeySequence::NativeText);
    // An action without a tip of its own answers with its text.
    QString tip = m_action->toolTip().remove(QStringLiteral("…"));
    if (!isEnabled() && !reason.isEmpty())
        tip = text + QStringLiteral(": ") + reason;
    else if (!key.isEmpty())
        tip += QStringLiteral(" (%1)").arg(key);
    setToolTip(tip);
    updateGeometry();
    update();
}

// Qt has Enter for buttons of dialogs alone.
void ActionButton::keyPressEvent(QKeyEvent *event) {
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
        QAbstractButton::keyPressEvent(event);
    else if (!event->isAutoRepeat())
        click();
}

void ActionButton::nextCheckState() {
    if (!m_action) // else the action's own change is followed
        QAbstractButton::nextCheckState();
}

QFont ActionButton::textFont() const {
    return m_look.font(m_isSmall ? TextRole::Small : TextRole::Body,
                       m_isBold ? QFont::DemiBold : QFont::Medium);
}

int ActionButton::keyWidth() const {
    return m_key.isEmpty() ? 0 : drawKeyCap(nullptr, m_look, m_key, 0, 0, {}, {}) + m_look.px(8);
}

QSize ActionButton::sizeHint() const {
    const int height = m_look.px(m_isSmall ? 24 : 28);
    if (text().isEmpty() && !m_hasMenu)
        return {height, height};
    int width = m_look.px(20) + QFontMetrics(textFont()).horizontalAdvance(text()) + keyWidth();
    if (!m_icon.isEmpty())
        width += m_look.px(16) + (text().isEmpty() ? 0 : m_look.px(7));
    if (m_hasMenu)
        width += m_look.px(20);
    return {width, height};
}

QSize ActionButton::minimumSizeHint() const {
    return sizeHint();
}

void ActionButton::focusInEvent(QFocusEvent *event) {
    m_focusIsVisible = event->reason() != Qt::MouseFocusReason;
    QAbstractButton::focusInEvent(event);
}

void ActionButton::enterEvent(QEnterEvent *event) {
    QAbstractButton::enterEvent(event);
    update();
}

void ActionButton::leaveEvent(QEvent *event) {
    QAbstractButton::leaveEvent(event);
    update();
}

void ActionButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const bool isHovered = underMouse() && isEnabled();
    const char *fill = nullptr;
    const char *edge = nullptr;
    const char *ink = "text.primary";
    if (!isEnabled()) {
        edge = m_kind == Kind::Flat ? nullptr : "border.subtle";
        ink = "text.disabled";
    } else if (m_kind == Kind::Filled) {
        fill = isDown() ? "accent.fillPressed" : isHovered ? "accent.fillHover" : "accent.fill";
        ink = "accent.onFill";
    } else {
        fill = isDown() ? "bg.pressed" : isHovered ? "bg.hover" : m_kind == Kind::Plain ? "bg.card" : nullptr;
        edge = m_kind == Kind::Plain || isHovered ? "border.normal" : nullptr;
        if (isCheckable() && isChecked()) {
            fill = "bg.selected";
            edge = "accent.focus";
            ink = "accent.text";
        }
    }
    drawBox(&painter, rect(), m_look.px(5), fill != nullptr ? m_look.color(fill) : QColor(),
            edge != nullptr ? m_look.color(edge) : QColor());
    if (hasFocus() && m_focusIsVisible)
        drawBox(&painter, rect(), m_look.px(5), {},
                m_look.color(m_kind == Kind::Filled ? "text.primary" : "accent.focus"), 2);

    const int icon = m_look.px(16);
    const int gap = m_look.px(7);
    int x = m_look.px(10);
    if (text().isEmpty() && !m_hasMenu)
        x = (width() - icon) / 2;
    if (!m_icon.isEmpty()) {
        const char *token = !isEnabled() ? "text.disabled" : m_iconToken != nullptr ? m_iconToken : ink;
        m_look.icon(m_icon, m_look.color(token)).paint(&painter, QRect(x, (height() - icon) / 2, icon, icon));
        x += icon + gap;
    }
    painter.setFont(textFont());
    painter.setPen(m_look.color(ink));
    const int right = width() - m_look.px(10) - keyWidth() - (m_hasMenu ? m_look.px(20) : 0);
    painter.drawText(QRect(x, 0, std::max(0, right - x + 2), height()), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, right - x + 2));
    if (m_hasMenu) {
        const int small = m_look.px(12);
        m_look
            .icon(QStringLiteral("chevron-down"),
                  m_look.color(isEnabled() ? "text.secondary" : "text.disabled"))
            .paint(&painter,
                   QRect(width() - m_look.px(10) - small, (height() - small) / 2 + 1, small, small));
    }
    if (!m_key.isEmpty()) {
        const bool isFilled = m_kind == Kind::Filled && isEnabled();
        drawKeyCap(&painter, m_look, m_key, width() - m_look.px(10) - keyWidth() + m_look.px(8), height() / 2,
                   m_look.color(isFilled      ? "accent.onFill"
                                : isEnabled() ? "text.secondary"
                                              : "text.disabled"),
                   m_look.color(isFilled ? "accent.onFill" : "border.normal"));
    }
}

} // namespace warpwright
