// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code_editor.h"

namespace warpwright {

/// Decisions as steps of the editor's own undo: a number goes into its history together with the change that
/// came of it, and is told back when Ctrl+Z or Ctrl+Y passes it. Both are told once the text has come to
/// rest, so that who hears may change it again.
class UndoTokens : public QObject {
    Q_OBJECT
public:
    explicit UndoTokens(CodeEditor &editor);

    /// One step of undo; `edits` as for CodeEditor::applyEdits(), may be empty: the decision alone.
    void apply(int token, const std::vector<LineEdit> &edits);

signals:
    void tokenUndone(int token);
    void tokenRedone(int token);

private:
    CodeEditor &m_editor;
};

} // namespace warpwright
