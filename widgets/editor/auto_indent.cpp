// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/auto_indent.h"

#include "widgets/editor/kept_readings.h"

#include <algorithm>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

} // namespace

AutoIndent::AutoIndent(CodeEditor &editor) : EditorDecorator(editor) {
    connect(&editor, &QsciScintillaBase::SCN_CHARADDED, this, [this](int character) {
        // With several cursors each would move the others.
        if (!isEnabled() || this->editor().sci(Sci::SCI_GETSELECTIONS) > 1)
            return;
        if (character == '\n')
            indentNewLine();
        else if (character == '}' || character == ')' || character == ']')
            alignClosingBrace(QChar(static_cast<char16_t>(character)));
    });
}

TextBefore AutoIndent::before(long position) const {
    return editor().decorator<KeptReadings>().before(position);
}

void AutoIndent::indentNewLine() {
    CodeEditor &text = editor();
    const int line = text.cursorPlace().line - 1;
    if (line == 0)
        return;
    const TextBefore above = before(text.sci(Sci::SCI_GETLINEENDPOSITION, line - 1));
    const QString below = text.text(line).trimmed();
    const QChar closing = below.isEmpty() ? QChar() : below.front();
    const bool isClosed = closing == u'}' || closing == u')' || closing == u']';
    int indent = indentBehind(above, text.language(), text.indentationWidth());
    if (isClosed) {
        const int own = indentOfClosing(above, closing);
        if (closing == u'}' && above.lastSign == u'{') {
            // Between the two of a block: room for what goes into it.
            const long start = text.sci(Sci::SCI_POSITIONFROMLINE, line);
            text.sci(Sci::SCI_INSERTTEXT, start, reinterpret_cast<long>("\n"));
            text.setIndentation(line + 1, std::max(own, 0));
        } else if (own >= 0) {
            indent = own;
        }
    }
    text.setIndentation(line, indent);
    text.sci(Sci::SCI_GOTOPOS, text.sci(Sci::SCI_GETLINEINDENTPOSITION, line));
    text.sci(Sci::SCI_CHOOSECARETX);
}

void AutoIndent::alignClosingBrace(QChar closing) {
    CodeEditor &text = editor();
    const long position = text.sci(Sci::SCI_GETCURRENTPOS) - 1;
    const int line = static_cast<int>(text.sci(Sci::SCI_LINEFROMPOSITION, position));
    if (text.sci(Sci::SCI_GETLINEINDENTPOSITION, line) != position)
        return;
    if (const int indent = indentOfClosing(before(position), closing); indent >= 0)
        text.setIndentation(line, indent);
}

} // namespace warpwright
