// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/text_format.h"

#include "app/ide/language/text_places.h"
#include "app/ide/line_edits.h"
#include "widgets/code_editor.h"

#include <QPointer>

#include <algorithm>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;
constexpr int patienceMs = 1000;

} // namespace

void layOut(CodeEditor &editor, const std::vector<TextReplacement> &replacements) {
    const bool isWhole = replacements.size() == 1 && replacements.front().range.from == TextPlace{1, 1} &&
                         replacements.front().range.to.line >= editor.lineCount() && editor.lineCount() > 1;
    if (!isWhole)
        return replaceIn(editor, replacements);
    if (editor.isReadOnly())
        return;
    const EditorPlace cursor = editor.cursorPlace();
    const long end = positionOf(editor, replacements.front().range.to);
    const QString rest = textBetween(editor, end, editor.sci(Sci::SCI_GETLENGTH));
    editor.applyEdits(lineEdits(editor.content(), replacements.front().text + rest));
    const int row = std::min(cursor.line, editor.lineCount()) - 1;
    editor.sci(Sci::SCI_SETEMPTYSELECTION,
               std::min<long>(editor.positionFromLineIndex(row, cursor.column - 1),
                              editor.sci(Sci::SCI_GETLINEENDPOSITION, row)));
}

TextFormat::TextFormat(LanguageDesk &desk) : QObject(&desk), m_desk(desk) {
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, &TextFormat::endWaiting);
}

void TextFormat::formatAll(CodeEditor &editor) {
    ask(editor, std::nullopt, [this](const QString &problem) {
        if (!problem.isEmpty())
            emit noticed(tr("Not formatted"), problem);
    });
}

void TextFormat::formatSelection(CodeEditor &editor) {
    const TextRange lines{placeOf(editor, editor.sci(Sci::SCI_GETSELECTIONSTART)),
                          placeOf(editor, editor.sci(Sci::SCI_GETSELECTIONEND))};
    ask(editor, lines, [this](const QString &problem) {
        if (!problem.isEmpty())
            emit noticed(tr("Not formatted"), problem);
    });
}

void TextFormat::ask(CodeEditor &editor, std::optional<TextRange> only,
                     std::function<void(const QString &)> then) {
    if (editor.isReadOnly())
        return then(editor.readOnlyReason());
    OpenText *text = m_desk.textOf(&editor);
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr)
        return then(m_desk.whyNot(&editor));
    server->format(text->file(), only,
                   [editor = QPointer(&editor), asked = editor.content(), then = std::move(then)](
                       const std::vector<TextReplacement> &replacements, const QString &problem) {
                       // Of a text that was typed into meanwhile the places are not known any more.
                       if (problem.isEmpty() && editor && editor->content() == asked)
                           layOut(*editor, replacements);
                       then(problem);
                   });
}

void TextFormat::formatChanged(std::function<void()> then) {
    endWaiting();
    m_then = std::move(then);
    const int round = ++m_round;
    m_left = 1; // so that an answer at once does not end it too early
    m_patience.start();
    const auto end = [self = QPointer(this), round](const QString &) {
        if (self && self->m_round == round && --self->m_left == 0)
            self->endWaiting();
    };
    for (OpenText *text : std::vector(m_desk.texts())) {
        CodeEditor *editor = text->editor();
        if (text->isGuest() || editor == nullptr || editor->isReadOnly() || !editor->isModified())
            continue;
        ++m_left;
        ask(*editor, std::nullopt, end);
    }
    end({});
}

void TextFormat::endWaiting() {
    m_patience.stop();
    if (const auto then = std::exchange(m_then, {}); then)
        then();
}

} // namespace warpwright
