// SPDX-License-Identifier: GPL-3.0-or-later
// Two editors over one text: Scintilla keeps text, undo, markers and colours in a document that several may
// show.
#include "widgets/editor/code_editor.h"

#include <Qsci/qscidocument.h>

namespace warpwright {

void CodeEditor::showDocumentOf(CodeEditor *other) {
    m_isSettingContent = true;
    for (const auto &decorator : m_decorators)
        decorator->leaveDocument();
    // Its own lexer dresses its own text first: set over the other's it would colour that anew.
    setDocument(QsciDocument());
    setUtf8(true);
    setEolMode(EolUnix);
    setIndentationsUseTabs(false);
    setIndentationWidth(4);
    setTabWidth(4);
    setTabIndents(true);
    setBackspaceUnindents(true);
    if (m_lexer != nullptr) // the new document has none yet
        setLexer(m_lexer.get());
    m_readOnlyReason.clear();
    if (other != nullptr) {
        setLanguage(other->language());
        setDocument(other->document());
        m_readOnlyReason = other->readOnlyReason();
    }
    for (const auto &decorator : m_decorators)
        decorator->enterDocument(other != nullptr);
    sci(SCI_SETXOFFSET, 0);
    fitNumberMargin();
    showWhetherReadOnly();
    m_isSettingContent = false;
}

void CodeEditor::leaveDocument() {
    m_isSettingContent = true;
    for (const auto &decorator : m_decorators)
        decorator->leaveDocument();
    setDocument(QsciDocument());
}

} // namespace warpwright
