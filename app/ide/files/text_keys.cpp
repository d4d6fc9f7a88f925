// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/text_keys.h"

#include "widgets/editor/code_editor.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QTextEdit>

namespace warpwright {
namespace {

bool isWrittenIn(const QWidget &place) {
    return qobject_cast<const CodeEditor *>(&place) != nullptr ||
           qobject_cast<const QLineEdit *>(&place) != nullptr ||
           qobject_cast<const QPlainTextEdit *>(&place) != nullptr ||
           qobject_cast<const QTextEdit *>(&place) != nullptr;
}

// Listings, messages and comparisons are no texts of Qt's, and are copied from by their own keys.
bool isRead(const QWidget &place) {
    return qobject_cast<const QAbstractScrollArea *>(&place) != nullptr;
}

} // namespace

void pressKeyOf(const QAction &action, QWidget *otherwise) {
    if (action.shortcut().isEmpty())
        return;
    QPointer<QWidget> place = QApplication::focusWidget();
    const bool onlyReads =
        action.objectName() == QLatin1String("copy") || action.objectName() == QLatin1String("selectAll");
    if (place == nullptr || !(isWrittenIn(*place) || (onlyReads && isRead(*place)))) {
        if (otherwise == nullptr)
            return;
        place = otherwise;
        place->setFocus(Qt::ShortcutFocusReason);
    }
    const QKeyCombination key = action.shortcut()[0];
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        if (place == nullptr)
            return; // what the press closed
        QKeyEvent event(type, key.key(), key.keyboardModifiers());
        QCoreApplication::sendEvent(place, &event);
    }
}

} // namespace warpwright
