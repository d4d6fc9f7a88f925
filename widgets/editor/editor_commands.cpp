// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/editor_commands.h"

#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor/editor_actions.h"
#include "widgets/editor/fold_marks.h"
#include "widgets/editor/steady_undo.h"

#include <QKeyEvent>

namespace warpwright {

EditorCommands::EditorCommands(CodeEditor &editor) : EditorDecorator(editor) {
    setUpEditorKeys(*editor.standardCommands());
}

void EditorCommands::toggleComment() {
    if (editor().language() != CodeEditor::Language::Plain)
        toggleLineComments(editor(), editor().language() == CodeEditor::Language::Python ? "#" : "//");
}

void EditorCommands::addNextOccurrence() {
    selectNextOccurrence(editor());
}

void EditorCommands::moveLinesUp() {
    if (canMoveSelectedLines(editor(), -1))
        editor().decorator<SteadyUndo>().keepingPlace([this] { moveSelectedLines(editor(), -1); });
}

void EditorCommands::moveLinesDown() {
    if (canMoveSelectedLines(editor(), 1))
        editor().decorator<SteadyUndo>().keepingPlace([this] { moveSelectedLines(editor(), 1); });
}

void EditorCommands::duplicateLines() {
    editor().decorator<SteadyUndo>().keepingPlace([this] { duplicateSelectedLines(editor()); });
}

void EditorCommands::deleteLines() {
    if (editor().length() > 0)
        editor().decorator<SteadyUndo>().keepingPlace([this] { deleteSelectedLines(editor()); });
}

void EditorCommands::joinLines() {
    if (selectedLines(editor()).first + 1 < editor().lines())
        editor().decorator<SteadyUndo>().keepingPlace([this] { joinSelectedLines(editor()); });
}

void EditorCommands::indentLines() {
    indentSelectedLines(editor(), 1);
}

void EditorCommands::dedentLines() {
    indentSelectedLines(editor(), -1);
}

void EditorCommands::addCaretAbove() {
    addCaret(editor(), -1);
}

void EditorCommands::addCaretBelow() {
    addCaret(editor(), 1);
}

void EditorCommands::goToMatchingBrace() {
    goToPartnerOfBrace(editor());
}

void EditorCommands::toggleFold() {
    editor().decorator<FoldMarks>().toggleAt(editor().cursorPlace().line - 1);
}

void EditorCommands::unfoldAll() {
    editor().showAllLines();
}

void EditorCommands::nextMark() {
    editor().decorator<DiagnosticMarks>().goToNext();
}

void EditorCommands::previousMark() {
    editor().decorator<DiagnosticMarks>().goToPrevious();
}

bool EditorCommands::runKey(const QKeyEvent &event) {
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
    const bool isControl = modifiers == Qt::ControlModifier;
    const bool isBoth = modifiers == (Qt::ControlModifier | Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Slash: // on many keyboards with Shift
        if (!isControl && !isBoth)
            return false;
        toggleComment();
        return true;
    case Qt::Key_D:
        if (!isControl && modifiers != (Qt::AltModifier | Qt::ShiftModifier))
            return false;
        isControl ? addNextOccurrence() : duplicateLines();
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (isBoth)
            event.key() == Qt::Key_Up ? moveLinesUp() : moveLinesDown();
        else if (modifiers == (Qt::AltModifier | Qt::ShiftModifier))
            event.key() == Qt::Key_Up ? addCaretAbove() : addCaretBelow();
        else
            return false;
        return true;
    case Qt::Key_Backtab:
        if (editor().sci(QsciScintillaBase::SCI_GETSELECTIONS) > 1)
            return false;
        dedentLines();
        return true;
    case Qt::Key_K:
        if (!isBoth)
            return false;
        deleteLines();
        return true;
    case Qt::Key_J:
        if (!isControl)
            return false;
        joinLines();
        return true;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
        if (!isControl)
            return false;
        event.key() == Qt::Key_BracketLeft ? dedentLines() : indentLines();
        return true;
    case Qt::Key_M:
        if (!isControl && !isBoth)
            return false;
        isControl ? goToMatchingBrace() : toggleFold();
        return true;
    case Qt::Key_F8:
        if (modifiers != Qt::NoModifier && modifiers != Qt::ShiftModifier)
            return false;
        modifiers == Qt::NoModifier ? nextMark() : previousMark();
        return true;
    default:
        return false;
    }
}

} // namespace warpwright
