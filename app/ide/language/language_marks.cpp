// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/language_marks.h"

#include "app/ide/language/language_controller.h"
#include "toolchain/text/character_column.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"

namespace warpwright {
namespace {

constexpr std::size_t mostMarks = 200;

EditorMark::Severity severityOf(LanguageDiagnostic::Severity severity) {
    switch (severity) {
    case LanguageDiagnostic::Severity::Error:
        return EditorMark::Error;
    case LanguageDiagnostic::Severity::Warning:
        return EditorMark::Warning;
    case LanguageDiagnostic::Severity::Note:
        return EditorMark::Info;
    }
    return EditorMark::Info;
}

} // namespace

std::vector<EditorMark> marksOf(const std::vector<LanguageDiagnostic> &diagnostics, const QString &server) {
    std::vector<EditorMark> marks;
    for (const LanguageDiagnostic &one : diagnostics) {
        if (marks.size() == mostMarks)
            break;
        EditorMark mark;
        mark.line = one.range.from.line;
        mark.column = one.range.from.column;
        mark.endColumn = one.range.to.line == one.range.from.line ? one.range.to.column : 0;
        mark.severity = severityOf(one.severity);
        mark.text = QStringLiteral("%1: %2").arg(server, one.message);
        if (!one.code.isEmpty())
            mark.text += QStringLiteral(" [%1]").arg(one.code);
        mark.isLive = true;
        marks.push_back(std::move(mark));
    }
    return marks;
}

LanguageMarks::LanguageMarks(LanguageController &controller) : QObject(&controller) {
    connect(&controller, &LanguageController::diagnosed, this,
            [](const OpenText *text, const std::vector<LanguageDiagnostic> &diagnostics) {
                CodeEditor *editor = text->editor();
                if (editor == nullptr)
                    return;
                const QString server = text->server() == nullptr ? QString() : text->server()->command().name;
                std::vector<EditorMark> marks = marksOf(diagnostics, server);
                for (EditorMark &mark : marks) {
                    const QString line = editor->text(mark.line - 1);
                    mark.column = characterColumn(line, mark.column);
                    mark.endColumn = mark.endColumn == 0 ? 0 : characterColumn(line, mark.endColumn);
                }
                editor->decorator<DiagnosticMarks>().setLiveMarks(std::move(marks), editor->isModified());
            });
}

} // namespace warpwright
