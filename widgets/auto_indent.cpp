// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/auto_indent.h"

#include "widgets/code_editor.h"

namespace warpwright {

AutoIndent::AutoIndent(CodeEditor &editor) : EditorDecorator(editor) {
    connect(&editor, &QsciScintillaBase::SCN_CHARADDED, this, [this](int character) {
        // With several cursors each would move the others.
        if (!isEnabled() || this->editor().sci(QsciScintillaBase::SCI_GETSELECTIONS) > 1)
            return;
        if (character == '\n')
            indentNewLine();
        else if (character == '}' || character == ')' || character == ']')
            alignClosingBrace();
    });
}

void AutoIndent::indentNewLine() {
    CodeEditor &text = editor();
    const int line = text.cursorPlace().line - 1;
    if (line == 0)
        return;
    const QString above = text.text(line - 1).trimmed();
    int indent = text.indentation(line - 1);
    const QChar last = above.isEmpty() ? QChar() : above.back();
    const bool opens = last == u'{' || last == u'(' || last == u'[' ||
                       (last == u':' && text.language() == CodeEditor::Language::Python);
    const QString below = text.text(line).trimmed();
    if (opens && !(below.startsWith(u'}') || below.startsWith(u')') || below.startsWith(u']')))
        indent += text.indentationWidth();
    text.setIndentation(line, indent);
    text.sci(QsciScintillaBase::SCI_GOTOPOS, text.sci(QsciScintillaBase::SCI_GETLINEINDENTPOSITION, line));
    text.sci(QsciScintillaBase::SCI_CHOOSECARETX);
}

void AutoIndent::alignClosingBrace() {
    CodeEditor &text = editor();
    const long position = text.sci(QsciScintillaBase::SCI_GETCURRENTPOS) - 1;
    const int line = static_cast<int>(text.sci(QsciScintillaBase::SCI_LINEFROMPOSITION, position));
    if (text.sci(QsciScintillaBase::SCI_GETLINEINDENTPOSITION, line) != position)
        return;
    const long partner = text.sci(QsciScintillaBase::SCI_BRACEMATCH, position);
    if (partner < 0)
        return;
    const auto partnerLine = static_cast<int>(text.sci(QsciScintillaBase::SCI_LINEFROMPOSITION, partner));
    text.setIndentation(line, text.indentation(partnerLine));
}

} // namespace warpwright
