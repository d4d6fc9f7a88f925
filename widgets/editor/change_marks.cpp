// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/change_marks.h"

#include "widgets/editor/code_editor.h"

#include <QPainter>

namespace warpwright {

ChangeMarks::ChangeMarks(CodeEditor &editor) : EditorDecorator(editor) {
    editor.markerDefine(QsciScintilla::Invisible, CodeEditor::ChangeMarker);
}

void ChangeMarks::setLines(const std::vector<int> &lines) {
    editor().markerDeleteAll(CodeEditor::ChangeMarker);
    for (const int line : lines)
        editor().markerAdd(line - 1, CodeEditor::ChangeMarker);
    editor().viewport()->update();
}

std::vector<int> ChangeMarks::lines() const {
    std::vector<int> lines;
    constexpr unsigned mask = 1U << CodeEditor::ChangeMarker;
    for (int line = editor().markerFindNext(0, mask); line >= 0;
         line = editor().markerFindNext(line + 1, mask))
        lines.push_back(line + 1);
    return lines;
}

void ChangeMarks::paint(QPainter &painter, const QRect &) {
    const int height = editor().rowHeight();
    const int width = editor().look().px(3);
    const QColor color = editor().look().color("accent.focus");
    for (const CodeEditor::ShownLine &line : editor().shownLines())
        if ((editor().markersAtLine(line.line) & (1U << CodeEditor::ChangeMarker)) != 0)
            painter.fillRect(0, line.top, width, height, color);
}

QString ChangeMarks::toolTip(const QPoint &point) const {
    if (point.x() > editor().marginSpan(CodeEditor::NumberColumn).second)
        return {};
    for (const CodeEditor::ShownLine &line : editor().shownLines())
        if (point.y() >= line.top && point.y() < line.top + editor().rowHeight() &&
            (editor().markersAtLine(line.line) & (1U << CodeEditor::ChangeMarker)) != 0)
            return was(line.line + 1);
    return {};
}

} // namespace warpwright
