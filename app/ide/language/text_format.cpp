// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/text_format.h"

#include "app/ide/editing/line_edits.h"
#include "app/ide/language/format_style.h"
#include "app/ide/language/text_places.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/steady_undo.h"

#include <QFileInfo>
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
    if (editor.isReadOnly() || replacements.empty())
        return;
    if (!isWhole) {
        editor.decorator<SteadyUndo>().begin();
        replaceIn(editor, replacements);
        editor.decorator<SteadyUndo>().end();
        return;
    }
    const EditorPlace cursor = editor.cursorPlace();
    const long end = positionOf(editor, replacements.front().range.to);
    const QString rest = textBetween(editor, end, editor.sci(Sci::SCI_GETLENGTH));
    const std::vector<LineEdit> edits = lineEdits(editor.content(), replacements.front().text + rest);
    if (edits.empty())
        return;
    editor.decorator<SteadyUndo>().begin();
    editor.applyEdits(edits);
    editor.decorator<SteadyUndo>().end();
    const int row = std::min(cursor.line, editor.lineCount()) - 1;
    editor.sci(Sci::SCI_SETEMPTYSELECTION,
               std::min<long>(editor.positionFromLineIndex(row, cursor.column - 1),
                              editor.sci(Sci::SCI_GETLINEENDPOSITION, row)));
}

TextFormat::TextFormat(LanguageController &controller) : QObject(&controller), m_controller(controller) {
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, &TextFormat::endWaiting);
}

void TextFormat::formatAll(CodeEditor &editor) {
    ask(editor, std::nullopt, [this](const Unformatted &left) { say(left); });
}

void TextFormat::formatSelection(CodeEditor &editor) {
    const TextRange lines{placeOf(editor, editor.sci(Sci::SCI_GETSELECTIONSTART)),
                          placeOf(editor, editor.sci(Sci::SCI_GETSELECTIONEND))};
    ask(editor, lines, [this](const Unformatted &left) { say(left); });
}

void TextFormat::say(const Unformatted &left) {
    if (!left.noStyleIn.isEmpty())
        emit styleMissed(
            tr("Not formatted"),
            tr("No .clang-format lies in \"%1\" or above it, and its style decides.").arg(left.noStyleIn));
    else if (!left.why.isEmpty())
        emit noticed(tr("Not formatted"), left.why);
}

void TextFormat::ask(CodeEditor &editor, std::optional<TextRange> only, Then then) {
    if (editor.isReadOnly())
        return then({editor.readOnlyReason(), {}});
    const OpenText *text = m_controller.textOf(&editor);
    if (text == nullptr || text->languageId() == QLatin1String("python"))
        return askServer(editor, editor.content(), only, then);
    inPool(
        this, [file = text->file()] { return hasFormatStyle(file) ? QString() : QFileInfo(file).path(); },
        [this, editor = QPointer(&editor), asked = editor.content(), only,
         then = std::move(then)](const QString &noStyleIn) {
            if (editor && noStyleIn.isEmpty())
                askServer(*editor, asked, only, then);
            else
                then({{}, noStyleIn});
        });
}

void TextFormat::askServer(CodeEditor &editor, const QString &asked, std::optional<TextRange> only,
                           const Then &then) {
    OpenText *text = m_controller.textOf(&editor);
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr)
        return then({m_controller.whyNot(&editor), {}});
    server->format(text->file(), only,
                   [editor = QPointer(&editor), asked, then](const std::vector<TextReplacement> &replacements,
                                                             const QString &problem) {
                       // Of a text that was typed into meanwhile the places are not known any more.
                       if (problem.isEmpty() && editor && editor->content() == asked)
                           layOut(*editor, replacements);
                       then({problem, {}});
                   });
}

void TextFormat::formatChanged(std::function<void()> then) {
    endWaiting();
    m_then = std::move(then);
    const int round = ++m_round;
    m_left = 1; // so that an answer at once does not end it too early
    m_patience.start();
    const auto end = [self = QPointer(this), round](const Unformatted &) {
        if (self && self->m_round == round && --self->m_left == 0)
            self->endWaiting();
    };
    for (OpenText *text : std::vector(m_controller.texts())) {
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
