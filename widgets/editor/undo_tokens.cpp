// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/undo_tokens.h"

#include "widgets/editor/steady_undo.h"

#include <utility>

namespace warpwright {

UndoTokens::UndoTokens(CodeEditor &editor) : EditorDecorator(editor) {
    connect(&editor, &QsciScintillaBase::SCN_MODIFIED, this,
            [this](int, int type, const char *, int, int, int, int, int, int token, int) {
                if ((type & QsciScintillaBase::SC_MOD_CONTAINER) == 0 || token <= SteadyUndo::token)
                    return;
                // Scintilla is in the middle of its step, and forbids changes until it has ended.
                if ((type & QsciScintillaBase::SC_PERFORMED_UNDO) != 0)
                    QMetaObject::invokeMethod(
                        this, [this, token] { emit tokenUndone(token); }, Qt::QueuedConnection);
                else if ((type & QsciScintillaBase::SC_PERFORMED_REDO) != 0)
                    QMetaObject::invokeMethod(
                        this, [this, token] { emit tokenRedone(token); }, Qt::QueuedConnection);
            });
}

void UndoTokens::apply(int token, const std::vector<LineEdit> &edits) {
    m_isDeciding = true;
    editor().sci(QsciScintillaBase::SCI_BEGINUNDOACTION);
    editor().sci(QsciScintillaBase::SCI_ADDUNDOACTION, token, 0);
    editor().applyEdits(edits);
    editor().sci(QsciScintillaBase::SCI_ENDUNDOACTION);
}

void UndoTokens::settle() {
    if (std::exchange(m_isDeciding, false))
        emit settled();
}

} // namespace warpwright
