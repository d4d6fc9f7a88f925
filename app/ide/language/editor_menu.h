// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/language/language_controller.h"

#include <QObject>

namespace warpwright {

class Actions;

/// What can be asked of the name under the mouse, in the menu of each editor that a language server may read:
/// there people look for it first. Above what every text field's menu has.
class EditorMenu : public QObject {
    Q_OBJECT
public:
    EditorMenu(LanguageController &controller, Actions &actions);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void open(CodeEditor &editor, const QPoint &globalPosition);

    Actions &m_actions;
};

} // namespace warpwright
