// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/wheel_focus.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QFocusEvent>
#include <QScrollBar>

namespace warpwright {
namespace {

QWidget *turnedByWheel(QObject *object) {
    auto *widget = qobject_cast<QWidget *>(object);
    const bool isTurned =
        qobject_cast<QComboBox *>(widget) != nullptr || qobject_cast<QAbstractSpinBox *>(widget) != nullptr ||
        (qobject_cast<QAbstractSlider *>(widget) != nullptr && qobject_cast<QScrollBar *>(widget) == nullptr);
    return isTurned ? widget : nullptr;
}

} // namespace

bool WheelFocus::eventFilter(QObject *watched, QEvent *event) {
    switch (event->type()) {
    case QEvent::Polish:
        // Qt gives the focus of this policy by the wheel, and says then that it was the mouse.
        if (QWidget *widget = turnedByWheel(watched);
            widget != nullptr && widget->focusPolicy() == Qt::WheelFocus)
            widget->setFocusPolicy(Qt::StrongFocus);
        break;
    case QEvent::FocusIn:
        if (QWidget *widget = turnedByWheel(watched)) {
            switch (static_cast<QFocusEvent *>(event)->reason()) {
            case Qt::MouseFocusReason:
            case Qt::TabFocusReason:
            case Qt::BacktabFocusReason:
            case Qt::ShortcutFocusReason:
                m_taken = widget;
                break;
            case Qt::ActiveWindowFocusReason: // as it was when the window or the list was left
            case Qt::PopupFocusReason:
                break;
            default:
                m_taken = nullptr;
            }
        }
        break;
    case QEvent::Wheel:
        if (const QWidget *widget = turnedByWheel(watched);
            widget != nullptr && (widget != m_taken || !widget->hasFocus())) {
            event->ignore(); // so it goes on to what lies below
            return true;
        }
        break;
    default:
        break;
    }
    return false;
}

} // namespace warpwright
