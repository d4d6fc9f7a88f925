// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/line_notes.h"

#include "widgets/editor/code_editor.h"

#include <QFontMetrics>
#include <QPainter>

namespace warpwright {

LineNotes::LineNotes(CodeEditor &editor) : EditorDecorator(editor) {
    editor.markerDefine(QsciScintilla::Invisible, CodeEditor::NoteMarker);
}

void LineNotes::set(int line, const QString &text) {
    std::erase_if(m_notes, [this, line](const Note &note) {
        const int at = editor().markerLine(note.handle);
        if (at == line - 1)
            editor().markerDeleteHandle(note.handle);
        return at == line - 1 || at < 0;
    });
    if (!text.isEmpty() && line >= 1 && line <= editor().lines())
        m_notes.push_back({editor().markerAdd(line - 1, CodeEditor::NoteMarker), text});
    editor().viewport()->update();
}

void LineNotes::clear() {
    editor().markerDeleteAll(CodeEditor::NoteMarker);
    m_notes.clear();
    editor().viewport()->update();
}

QString LineNotes::noteAt(int line) const {
    for (const Note &note : m_notes)
        if (editor().markerLine(note.handle) == line - 1)
            return note.text;
    return {};
}

void LineNotes::paint(QPainter &painter, const QRect &) {
    if (m_notes.empty())
        return;
    const Look &look = editor().look();
    painter.setFont(look.font(TextRole::Small));
    painter.setPen(look.color("text.tertiary"));
    const QFontMetrics metrics(painter.font());
    const int height = editor().rowHeight();
    for (const CodeEditor::ShownLine &line : editor().shownLines()) {
        if ((editor().markersAtLine(line.line) & (1U << CodeEditor::NoteMarker)) == 0)
            continue;
        const long end = editor().sci(QsciScintillaBase::SCI_GETLINEENDPOSITION, line.line);
        int left =
            static_cast<int>(editor().sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, end)) + look.px(24);
        if (editor().sci(QsciScintillaBase::SCI_GETFOLDEXPANDED, line.line) == 0)
            left += look.px(96); // behind the words of the fold
        const int room = editor().viewport()->width() - left - look.px(8);
        if (room > look.px(40))
            painter.drawText(QRect(left, line.top, room, height), Qt::AlignVCenter,
                             metrics.elidedText(noteAt(line.line + 1), Qt::ElideRight, room));
    }
}

QString LineNotes::toolTip(const QPoint &point) const {
    for (const CodeEditor::ShownLine &line : editor().shownLines()) {
        if (point.y() < line.top || point.y() >= line.top + editor().rowHeight())
            continue;
        const long end = editor().sci(QsciScintillaBase::SCI_GETLINEENDPOSITION, line.line);
        const long left = editor().sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, end);
        return point.x() > left ? noteAt(line.line + 1) : QString();
    }
    return {};
}

} // namespace warpwright
