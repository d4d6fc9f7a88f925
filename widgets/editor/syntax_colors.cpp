// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/syntax_colors.h"

#include "widgets/editor/function_names.h"

#include <Qsci/qscilexer.h>

namespace warpwright {
namespace {

// How many bytes of UTF-8 this unit of UTF-16 begins; the second half of a pair begins none.
int utf8Length(QChar unit) {
    if (unit.isLowSurrogate())
        return 0;
    if (unit.isHighSurrogate())
        return 4;
    return unit.unicode() < 0x80 ? 1 : unit.unicode() < 0x800 ? 2 : 3;
}

} // namespace

SyntaxColors::SyntaxColors(const Look &look, QWidget *parent) : m_editor(new CodeEditor(look, parent)) {
    m_editor->addDecorator(std::make_unique<FunctionNames>(*m_editor));
    m_editor->hide();
    m_editor->setFocusPolicy(Qt::NoFocus);
}

std::vector<std::vector<ColoredSpan>> SyntaxColors::of(const QStringList &lines,
                                                       CodeEditor::Language language) {
    std::vector<std::vector<ColoredSpan>> answer(static_cast<std::size_t>(lines.size()));
    const QString text = lines.join(QLatin1Char('\n'));
    if (language == CodeEditor::Language::Plain || text.size() > longest)
        return answer;
    m_editor->setLanguage(language);
    m_editor->setContent(text);
    m_editor->SendScintilla(QsciScintilla::SCI_COLOURISE, 0UL, -1L);
    const QsciLexer *lexer = m_editor->lexer();
    constexpr long functionStyle = -2; // of nobody else: an indicator, no style
    const QColor function = m_editor->look().color("syntax.function");
    m_editor->sci(QsciScintilla::SCI_SETINDICATORCURRENT, CodeEditor::FunctionIndicator);
    auto &functions = m_editor->decorator<FunctionNames>();
    unsigned long position = 0;
    for (std::size_t line = 0; line < answer.size(); ++line) {
        const QString &words = lines[static_cast<qsizetype>(line)];
        functions.refreshLine(static_cast<int>(line));
        long styleBefore = -1;
        for (int i = 0; i < words.size(); ++i) {
            const int bytes = utf8Length(words[i]);
            long style =
                bytes == 0 ? styleBefore : m_editor->SendScintilla(QsciScintilla::SCI_GETSTYLEAT, position);
            if (bytes != 0 && m_editor->sci(QsciScintilla::SCI_INDICATORVALUEAT,
                                            CodeEditor::FunctionIndicator, static_cast<long>(position)) != 0)
                style = functionStyle;
            position += static_cast<unsigned long>(bytes);
            if (style != styleBefore)
                answer[line].push_back(
                    {i, 0, style == functionStyle ? function : lexer->color(static_cast<int>(style))});
            ++answer[line].back().length;
            styleBefore = style;
        }
        ++position; // the line's end
    }
    m_editor->setContent({});
    return answer;
}

} // namespace warpwright
