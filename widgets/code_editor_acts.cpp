// SPDX-License-Identifier: GPL-3.0-or-later
// What keys and the palette do in an editor, each a step of undo that leads back to where the cursor was.
#include "widgets/code_editor.h"
#include "widgets/diagnostic_marks.h"
#include "widgets/editor_actions.h"
#include "widgets/fold_marks.h"
#include "widgets/hunk_marks.h"
#include "widgets/steady_undo.h"

namespace warpwright {

void CodeEditor::toggleComment() {
    if (m_language != Language::Plain)
        toggleLineComments(*this, m_language == Language::Python ? "#" : "//");
}

void CodeEditor::addNextOccurrence() {
    selectNextOccurrence(*this);
}

void CodeEditor::moveLinesUp() {
    if (canMoveSelectedLines(*this, -1))
        m_steadyUndo->keepingPlace([this] { moveSelectedLines(*this, -1); });
}

void CodeEditor::moveLinesDown() {
    if (canMoveSelectedLines(*this, 1))
        m_steadyUndo->keepingPlace([this] { moveSelectedLines(*this, 1); });
}

void CodeEditor::duplicateLines() {
    m_steadyUndo->keepingPlace([this] { duplicateSelectedLines(*this); });
}

void CodeEditor::deleteLines() {
    if (length() > 0)
        m_steadyUndo->keepingPlace([this] { deleteSelectedLines(*this); });
}

void CodeEditor::joinLines() {
    if (selectedLines(*this).first + 1 < lines())
        m_steadyUndo->keepingPlace([this] { joinSelectedLines(*this); });
}

void CodeEditor::indentLines() {
    indentSelectedLines(*this, 1);
}

void CodeEditor::dedentLines() {
    indentSelectedLines(*this, -1);
}

void CodeEditor::addCaretAbove() {
    addCaret(*this, -1);
}

void CodeEditor::addCaretBelow() {
    addCaret(*this, 1);
}

void CodeEditor::goToMatchingBrace() {
    goToPartnerOfBrace(*this);
}

void CodeEditor::toggleFold() {
    m_folds->toggleAt(cursorPlace().line - 1);
}

void CodeEditor::unfoldAll() {
    sci(SCI_FOLDALL, SC_FOLDACTION_EXPAND);
    m_hunks->folds().unfoldAll();
}

void CodeEditor::nextMark() {
    m_diagnostics->goToNext();
}

void CodeEditor::previousMark() {
    m_diagnostics->goToPrevious();
}

} // namespace warpwright
