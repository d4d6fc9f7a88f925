// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/text_places.h"

#include "widgets/editor/code_editor.h"

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

// Of QsciLexerCPP and QsciLexerPython; inactive code of the former has 64 more.
constexpr std::array proseOfCuda{1, 2, 3, 6, 7, 12, 13, 15, 17, 18, 20, 23, 24};
constexpr std::array proseOfPython{1, 3, 4, 6, 7, 12, 13, 16, 17, 18, 19};

} // namespace

long positionOf(const CodeEditor &editor, TextPlace place) {
    const int row = std::clamp(place.line, 1, editor.lineCount()) - 1;
    const long start = editor.sci(Sci::SCI_POSITIONFROMLINE, row);
    const long end = editor.sci(Sci::SCI_GETLINEENDPOSITION, row);
    if (place.line > editor.lineCount())
        return end;
    if (place.column <= 1)
        return start;
    // It gives 0 beyond the end of the text.
    const long position = editor.sci(Sci::SCI_POSITIONRELATIVECODEUNITS, start, place.column - 1);
    return position == 0 ? end : std::min(position, end);
}

TextPlace placeOf(const CodeEditor &editor, long position) {
    const long row = editor.sci(Sci::SCI_LINEFROMPOSITION, position);
    const long start = editor.sci(Sci::SCI_POSITIONFROMLINE, row);
    return {static_cast<int>(row) + 1,
            static_cast<int>(editor.sci(Sci::SCI_COUNTCODEUNITS, start, position)) + 1};
}

TextPlace cursorOf(const CodeEditor &editor) {
    return placeOf(editor, editor.sci(Sci::SCI_GETCURRENTPOS));
}

QString textBetween(const CodeEditor &editor, long from, long to) {
    if (to <= from)
        return {};
    const auto *bytes = reinterpret_cast<const char *>(editor.sci(Sci::SCI_GETRANGEPOINTER, from, to - from));
    return QString::fromUtf8(bytes, to - from);
}

std::pair<long, long> nameAt(const CodeEditor &editor, long position) {
    return {editor.sci(Sci::SCI_WORDSTARTPOSITION, position, 1),
            editor.sci(Sci::SCI_WORDENDPOSITION, position, 1)};
}

QRect rectOf(const CodeEditor &editor, long from, long to) {
    const auto left = static_cast<int>(editor.sci(Sci::SCI_POINTXFROMPOSITION, 0, from));
    const auto right = static_cast<int>(editor.sci(Sci::SCI_POINTXFROMPOSITION, 0, to));
    const auto top = static_cast<int>(editor.sci(Sci::SCI_POINTYFROMPOSITION, 0, from));
    return {editor.viewport()->mapToGlobal(QPoint(left, top)),
            QSize(std::max(1, right - left), editor.rowHeight())};
}

bool isProse(const CodeEditor &editor, long position) {
    if (position <= 0 || editor.language() == CodeEditor::Language::Plain)
        return false;
    // What was typed a moment ago is coloured by the next drawing only.
    const long coloured = std::min(position, editor.sci(Sci::SCI_GETENDSTYLED));
    const long row = editor.sci(Sci::SCI_LINEFROMPOSITION, coloured);
    editor.sci(Sci::SCI_COLOURISE, editor.sci(Sci::SCI_POSITIONFROMLINE, row), position);
    const auto style = static_cast<int>(editor.sci(Sci::SCI_GETSTYLEAT, position - 1)) & 63;
    const auto holds = [style](const auto &styles) {
        return std::find(styles.begin(), styles.end(), style) != styles.end();
    };
    return editor.language() == CodeEditor::Language::Python ? holds(proseOfPython) : holds(proseOfCuda);
}

void replaceIn(CodeEditor &editor, const std::vector<TextReplacement> &replacements) {
    if (replacements.empty() || editor.isReadOnly())
        return;
    const long top = editor.sci(Sci::SCI_DOCLINEFROMVISIBLE, editor.sci(Sci::SCI_GETFIRSTVISIBLELINE));
    const long topStart = editor.sci(Sci::SCI_POSITIONFROMLINE, top);
    long shift = 0;
    editor.sci(Sci::SCI_BEGINUNDOACTION);
    for (auto one = replacements.rbegin(); one != replacements.rend(); ++one) {
        const long from = positionOf(editor, one->range.from);
        const long to = std::max(from, positionOf(editor, one->range.to));
        const QByteArray bytes = one->text.toUtf8();
        const long linesBefore = editor.sci(Sci::SCI_GETLINECOUNT);
        editor.sci(Sci::SCI_SETTARGETRANGE, from, to);
        editor.sci(Sci::SCI_REPLACETARGET, bytes.size(), reinterpret_cast<long>(bytes.constData()));
        if (to <= topStart)
            shift += editor.sci(Sci::SCI_GETLINECOUNT) - linesBefore;
    }
    editor.sci(Sci::SCI_ENDUNDOACTION);
    editor.sci(Sci::SCI_SETFIRSTVISIBLELINE, editor.sci(Sci::SCI_VISIBLEFROMDOCLINE, top + shift));
}

} // namespace warpwright
