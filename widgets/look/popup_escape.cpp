// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/popup_escape.h"

#include <QApplication>
#include <QKeyEvent>

namespace warpwright {

bool PopupEscape::eventFilter(QObject *, QEvent *event) {
    if (event->type() != QEvent::ShortcutOverride || QApplication::activePopupWidget() == nullptr ||
        static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape)
        return false;
    event->accept(); // then it comes as a key, to the list
    return true;
}

} // namespace warpwright
