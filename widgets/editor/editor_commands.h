// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

namespace warpwright {

/// What keys and the palette do in an editor besides typing; those that change lines are each a step of undo
/// that leads back to where the cursor was. Needs FoldMarks, DiagnosticMarks and SteadyUndo.
class EditorCommands : public EditorDecorator {
    Q_OBJECT
public:
    explicit EditorCommands(CodeEditor &editor);

    void toggleComment();
    /// Selects the word at the cursor, then one occurrence more each time.
    void addNextOccurrence();
    void moveLinesUp();
    void moveLinesDown();
    void duplicateLines();
    void deleteLines();
    void joinLines();
    void indentLines();
    void dedentLines();
    void addCaretAbove();
    void addCaretBelow();
    void goToMatchingBrace();
    void toggleFold();
    void unfoldAll();
    void nextMark();
    void previousMark();

    [[nodiscard]] bool runKey(const QKeyEvent &event) override;
};

} // namespace warpwright
