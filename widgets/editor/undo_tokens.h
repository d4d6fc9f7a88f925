// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/code_editor.h"

namespace warpwright {

/// Decisions as steps of the editor's own undo: a number goes into its history together with the change that
/// came of it, and is told back when Ctrl+Z or Ctrl+Y passes it. Both are told once the text has come to
/// rest, so that who hears may change it again.
class UndoTokens : public EditorDecorator {
    Q_OBJECT
public:
    explicit UndoTokens(CodeEditor &editor);

    /// One step of undo; `edits` as for CodeEditor::applyEdits(), may be empty: the decision alone.
    void apply(int token, const std::vector<LineEdit> &edits);
    /// Something was decided here that settle() has not ended yet.
    [[nodiscard]] bool isDeciding() const { return m_isDeciding; }
    /// Nothing more is decided: what the decisions have made of the text is a change as any other.
    void settle();

signals:
    void tokenUndone(int token);
    void tokenRedone(int token);
    void settled();

private:
    bool m_isDeciding = false;
};

} // namespace warpwright
