// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/brace_marks.h"

#include "widgets/editor/code_editor.h"

#include <cstring>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

constexpr long noPlace = -1;
constexpr long operatorStyle = 10; ///< of Scintilla's C++ and Python alike
constexpr long defaultStyle = 0;   ///< of a text in no language

bool isBrace(const CodeEditor &text, long position) {
    const long letter = position < 0 ? 0 : text.sci(Sci::SCI_GETCHARAT, position);
    if (letter <= 0 || letter > 127 || std::strchr("()[]{}", static_cast<char>(letter)) == nullptr)
        return false;
    const long style = text.sci(Sci::SCI_GETSTYLEAT, position);
    return style == operatorStyle || style == defaultStyle;
}

} // namespace

BraceMarks::BraceMarks(CodeEditor &editor) : EditorDecorator(editor) {
    connect(&editor, &QsciScintillaBase::SCN_UPDATEUI, this, &BraceMarks::mark);
}

void BraceMarks::mark() {
    CodeEditor &text = editor();
    const long caret = text.sci(Sci::SCI_GETCURRENTPOS);
    const long place = isBrace(text, caret - 1) ? caret - 1 : isBrace(text, caret) ? caret : noPlace;
    if (!isEnabled() || place == noPlace) {
        text.sci(Sci::SCI_BRACEHIGHLIGHT, noPlace, noPlace);
        return;
    }
    const long partner = text.sci(Sci::SCI_BRACEMATCH, place);
    if (partner < 0)
        text.sci(Sci::SCI_BRACEBADLIGHT, place);
    else
        text.sci(Sci::SCI_BRACEHIGHLIGHT, place, partner);
}

} // namespace warpwright
