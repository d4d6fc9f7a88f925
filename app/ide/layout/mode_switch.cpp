// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/mode_switch.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::array<const char *, 3> icons{"review", "step", "auto"};

QString meaningOf(int mode) {
    switch (mode) {
    case 0:
        return ModeSwitch::tr("you decide each hunk");
    case 1:
        return ModeSwitch::tr("you decide once an iteration");
    default:
        return ModeSwitch::tr("the policy decides, budgets end it");
    }
}

} // namespace

ModeSwitch::ModeSwitch(const Look &look, const std::array<QAction *, 3> &modes, QWidget *parent)
    : QWidget(parent), m_look(look), m_modes(modes) {
    setObjectName(QStringLiteral("modeSwitch"));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (QAction *mode : m_modes)
        connect(mode, &QAction::changed, this, &ModeSwitch::describe);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
    describe();
}

int ModeSwitch::current() const {
    for (int mode = 0; mode < 3; ++mode)
        if (m_modes[static_cast<std::size_t>(mode)]->isChecked())
            return mode;
    return -1;
}

void ModeSwitch::describe() {
    const int on = current();
    setEnabled(
        std::any_of(m_modes.begin(), m_modes.end(), [](const QAction *mode) { return mode->isEnabled(); }));
    setAccessibleName(
        on < 0 ? tr("Mode")
               : tr("Mode %1: %2").arg(m_modes[static_cast<std::size_t>(on)]->iconText(), meaningOf(on)));
    updateGeometry();
    update();
}

int ModeSwitch::widthOf(int mode, bool hasWord) const {
    // Of the on-segment's weight, so that nothing moves when it changes.
    const QFontMetrics metrics(m_look.font(TextRole::Small, QFont::DemiBold));
    return m_look.px(34) + (hasWord ? m_look.px(6) + metrics.horizontalAdvance(
                                                         m_modes[static_cast<std::size_t>(mode)]->iconText())
                                    : 0);
}

int ModeSwitch::widthWhen(bool isCompact, bool isBare) const {
    int width = 2 * m_look.px(2);
    for (int mode = 0; mode < 3; ++mode)
        width += widthOf(mode, !isBare && (!isCompact || mode == current()));
    return width;
}

bool ModeSwitch::hasWord(int mode) const {
    return !m_isBare && (!m_isCompact || mode == current());
}

QSize ModeSwitch::sizeHint() const {
    return {widthWhen(m_isCompact, m_isBare), m_look.px(28)};
}

void ModeSwitch::setCompact(bool isCompact, bool isBare) {
    m_isCompact = isCompact;
    m_isBare = isBare;
    updateGeometry();
    update();
}

QRect ModeSwitch::segment(int mode) const {
    const int gap = m_look.px(2);
    int x = gap;
    for (int before = 0; before < mode; ++before)
        x += widthOf(before, hasWord(before));
    return {x, gap, widthOf(mode, hasWord(mode)), height() - 2 * gap};
}

int ModeSwitch::modeAt(const QPoint &point) const {
    for (int mode = 0; mode < 3; ++mode)
        if (segment(mode).contains(point))
            return mode;
    return -1;
}

void ModeSwitch::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    drawBox(&painter, rect(), m_look.px(5), m_look.color("bg.pane"), m_look.color("border.normal"));
    const int icon = m_look.px(16);
    for (int mode = 0; mode < 3; ++mode) {
        const QRect box = segment(mode);
        const bool isOn = mode == current();
        if (isOn)
            drawBox(&painter, box, m_look.px(4), m_look.color("bg.selected"), m_look.color("accent.focus"));
        else if (mode == m_hovered && isEnabled())
            drawBox(&painter, box, m_look.px(4), m_look.color("bg.hover"), {});
        const char *ink = !isEnabled() ? "text.disabled" : isOn ? "accent.text" : "text.primary";
        const int x = box.left() + m_look.px(9);
        m_look.icon(QLatin1String(icons[static_cast<std::size_t>(mode)]), m_look.color(ink))
            .paint(&painter, x, box.center().y() - icon / 2 + 1, icon, icon);
        if (hasWord(mode)) {
            painter.setFont(m_look.font(TextRole::Small, isOn ? QFont::DemiBold : QFont::Medium));
            painter.setPen(m_look.color(ink));
            painter.drawText(box.adjusted(m_look.px(9 + 6) + icon, 0, 0, 0), Qt::AlignVCenter,
                             m_modes[static_cast<std::size_t>(mode)]->iconText());
        }
    }
    if (hasFocus() && m_showsFocus)
        drawBox(&painter, rect(), m_look.px(5), {}, m_look.color("accent.focus"), 2);
}

void ModeSwitch::mousePressEvent(QMouseEvent *event) {
    if (const int mode = modeAt(event->pos()); mode >= 0 && event->button() == Qt::LeftButton)
        m_modes[static_cast<std::size_t>(mode)]->trigger();
}

void ModeSwitch::mouseMoveEvent(QMouseEvent *event) {
    const int now = modeAt(event->pos());
    if (std::exchange(m_hovered, now) != now)
        update();
}

void ModeSwitch::leaveEvent(QEvent *) {
    m_hovered = -1;
    update();
}

void ModeSwitch::keyPressEvent(QKeyEvent *event) {
    const int by = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1
                   : event->key() == Qt::Key_Left || event->key() == Qt::Key_Up  ? -1
                                                                                 : 0;
    if (by == 0)
        return QWidget::keyPressEvent(event);
    const int wanted = std::clamp(current() + by, 0, 2);
    if (wanted != current())
        m_modes[static_cast<std::size_t>(wanted)]->trigger();
}

void ModeSwitch::focusInEvent(QFocusEvent *event) {
    m_showsFocus = event->reason() != Qt::MouseFocusReason;
    update();
}

void ModeSwitch::focusOutEvent(QFocusEvent *) {
    update();
}

bool ModeSwitch::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int mode = modeAt(help->pos());
    if (mode < 0)
        return true;
    const QAction *action = m_modes[static_cast<std::size_t>(mode)];
    QString tip = action->iconText() + QStringLiteral(": ") + meaningOf(mode);
    const QString reason = action->property("whyDisabled").toString();
    if (!action->isEnabled() && !reason.isEmpty())
        tip = action->iconText() + QStringLiteral(": ") + reason;
    else if (!action->shortcut().isEmpty())
        tip += QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace warpwright
