// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/undo_base.h"

namespace warpwright {

using Sci = QsciScintillaBase;

void beginUndoAnew(CodeEditor &editor, const std::vector<LineEdit> &edits, const OwnChange &own) {
    editor.applyEdits(edits);
    const long anchor = editor.sci(Sci::SCI_GETANCHOR);
    const long caret = editor.sci(Sci::SCI_GETCURRENTPOS);
    const long top = editor.sci(Sci::SCI_GETFIRSTVISIBLELINE);
    editor.applyEdits(own.away);
    editor.sci(Sci::SCI_EMPTYUNDOBUFFER);
    editor.setModified(false);
    if (own == OwnChange())
        return;
    editor.applyEdits(own.back);
    editor.sci(Sci::SCI_SETSELECTION, caret, anchor);
    editor.sci(Sci::SCI_SETFIRSTVISIBLELINE, top);
}

} // namespace warpwright
