// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/editor_menu.h"

#include "app/ide/kit/actions.h"
#include "widgets/editor/code_editor.h"

#include <QContextMenuEvent>
#include <QMenu>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

/// What is meant is what was clicked at: the cursor goes there, unless a selection lies under the mouse.
void standAt(CodeEditor &editor, const QPoint &point) {
    const long position = editor.sci(Sci::SCI_POSITIONFROMPOINT, point.x(), point.y());
    const bool isSelected =
        editor.sci(Sci::SCI_GETSELECTIONSTART) <= position && position < editor.sci(Sci::SCI_GETSELECTIONEND);
    if (!isSelected)
        editor.sci(Sci::SCI_SETEMPTYSELECTION, position);
}

} // namespace

EditorMenu::EditorMenu(LanguageController &controller, Actions &actions)
    : QObject(&controller), m_actions(actions) {
    connect(&controller, &LanguageController::textAdded, this, [this](OpenText *text) {
        text->editor()->installEventFilter(this);
        text->editor()->viewport()->installEventFilter(this);
    });
}

bool EditorMenu::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::ContextMenu)
        return false;
    auto *editor = qobject_cast<CodeEditor *>(watched);
    if (editor == nullptr)
        editor = qobject_cast<CodeEditor *>(watched->parent());
    if (editor == nullptr)
        return false;
    const auto *asked = static_cast<QContextMenuEvent *>(event);
    editor->setFocus(Qt::OtherFocusReason); // the acts are about the editor that has it
    if (asked->reason() == QContextMenuEvent::Mouse)
        standAt(*editor, editor->viewport()->mapFromGlobal(asked->globalPos()));
    open(*editor, asked->globalPos());
    return true;
}

void EditorMenu::open(CodeEditor &editor, const QPoint &globalPosition) {
    QMenu *menu = editor.createStandardContextMenu();
    menu->setParent(&editor, menu->windowFlags());
    menu->setObjectName(QStringLiteral("editorMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *first = menu->actions().value(0);
    menu->insertActions(first,
                        {m_actions.goToDefinition, m_actions.findReferences, m_actions.showDocumentation});
    if (!editor.isReadOnly()) {
        menu->insertSeparator(first);
        menu->insertActions(first,
                            {m_actions.renameSymbol,
                             editor.hasSelectedText() ? m_actions.formatSelection : m_actions.formatFile});
        menu->insertActions(first, {m_actions.revertChange, m_actions.revertFile});
    } else if (m_actions.takeShownText->isEnabled()) {
        menu->insertAction(first, m_actions.takeShownText);
    }
    menu->insertSeparator(first);
    menu->popup(globalPosition);
}

} // namespace warpwright
