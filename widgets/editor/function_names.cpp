// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/function_names.h"

#include "widgets/editor/code_editor.h"

#include <QScrollBar>
#include <QTimer>

namespace warpwright {
namespace {

constexpr long kIdentifier = 11;    // of both lexers
constexpr long kLongestLine = 4000; // bytes; nobody reads names in a longer one

bool isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isWord(char c) {
    return isWordStart(c) || (c >= '0' && c <= '9');
}

/// `text` from `at` on is «(» or «<arguments>(».
bool isCalled(std::string_view text, std::size_t at) {
    if (at < text.size() && text[at] == '<') {
        const std::size_t end = text.find_first_of(">;(){}", at);
        if (end == std::string_view::npos || text[end] != '>')
            return false;
        at = end + 1;
    }
    return at < text.size() && text[at] == '(';
}

} // namespace

FunctionNames::FunctionNames(CodeEditor &editor) : EditorDecorator(editor), m_timer(new QTimer(this)) {
    m_timer->setSingleShot(true);
    m_timer->setInterval(0);
    connect(m_timer, &QTimer::timeout, this, &FunctionNames::refresh);
    connect(&editor, &QsciScintilla::textChanged, m_timer, qOverload<>(&QTimer::start));
    connect(editor.verticalScrollBar(), &QScrollBar::valueChanged, m_timer, qOverload<>(&QTimer::start));
    connect(editor.verticalScrollBar(), &QScrollBar::rangeChanged, m_timer, qOverload<>(&QTimer::start));
}

void FunctionNames::applyLook() {
    editor().sci(QsciScintillaBase::SCI_INDICSETSTYLE, CodeEditor::FunctionIndicator,
                 QsciScintillaBase::INDIC_TEXTFORE);
    editor().setIndicatorForegroundColor(editor().look().color("syntax.function"),
                                         CodeEditor::FunctionIndicator);
    m_timer->start();
}

void FunctionNames::enabledChanged() {
    refresh();
}

void FunctionNames::refresh() {
    CodeEditor &text = editor();
    if (!isEnabled() || text.language() == CodeEditor::Language::Plain) {
        text.sci(QsciScintillaBase::SCI_SETINDICATORCURRENT, CodeEditor::FunctionIndicator);
        text.sci(QsciScintillaBase::SCI_INDICATORCLEARRANGE, 0, text.length());
        return;
    }
    const auto shown = text.shownLines();
    if (shown.empty())
        return;
    // What comes into view is lexed only when it is painted, which is after this.
    const long end = text.sci(QsciScintillaBase::SCI_GETLINEENDPOSITION, shown.back().line);
    const long styled = text.sci(QsciScintillaBase::SCI_GETENDSTYLED);
    if (styled < end)
        text.sci(QsciScintillaBase::SCI_COLOURISE,
                 text.sci(QsciScintillaBase::SCI_POSITIONFROMLINE,
                          text.sci(QsciScintillaBase::SCI_LINEFROMPOSITION, styled)),
                 end);
    // Python's lexer leaves an indicator of its own as the current one.
    text.sci(QsciScintillaBase::SCI_SETINDICATORCURRENT, CodeEditor::FunctionIndicator);
    for (const CodeEditor::ShownLine &line : shown)
        refreshLine(line.line);
}

void FunctionNames::refreshLine(int line) {
    CodeEditor &text = editor();
    const long start = text.sci(QsciScintillaBase::SCI_POSITIONFROMLINE, line);
    const long length = text.sci(QsciScintillaBase::SCI_GETLINEENDPOSITION, line) - start;
    if (length <= 0 || length > kLongestLine)
        return;
    const std::string_view bytes(
        reinterpret_cast<const char *>(text.sci(QsciScintillaBase::SCI_GETRANGEPOINTER, start, length)),
        static_cast<std::size_t>(length));
    // Only what changes is told to Scintilla, for each fill makes it paint again.
    const auto paint = [&text, start](std::size_t from, std::size_t to, bool isFunction) {
        const long position = start + static_cast<long>(from);
        const auto size = static_cast<long>(to - from);
        const auto has = [&text](long at) {
            return text.sci(QsciScintillaBase::SCI_INDICATORVALUEAT, CodeEditor::FunctionIndicator, at) != 0;
        };
        if (has(position) == isFunction && has(position + size - 1) == isFunction)
            return;
        text.sci(isFunction ? QsciScintillaBase::SCI_INDICATORFILLRANGE
                            : QsciScintillaBase::SCI_INDICATORCLEARRANGE,
                 position, size);
    };
    std::size_t at = 0;
    while (at < bytes.size()) {
        std::size_t end = at + 1;
        if (isWordStart(bytes[at])) {
            while (end < bytes.size() && isWord(bytes[end]))
                ++end;
            const bool isName =
                text.sci(QsciScintillaBase::SCI_GETSTYLEAT, start + static_cast<long>(at)) == kIdentifier;
            paint(at, end, isName && isCalled(bytes, end));
        } else if (isWord(bytes[at])) {
            while (end < bytes.size() && isWord(bytes[end])) // 0x1f is no name
                ++end;
            paint(at, end, false);
        } else if (bytes[at] == ' ' || bytes[at] == '(' || bytes[at] == '<') {
            paint(at, end, false); // typed inside or behind a name that was coloured
        }
        at = end;
    }
}

} // namespace warpwright
