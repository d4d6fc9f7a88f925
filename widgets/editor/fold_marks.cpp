// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/fold_marks.h"

#include "widgets/editor/code_editor.h"

#include <QMouseEvent>
#include <QPainter>

namespace warpwright {

FoldMarks::FoldMarks(CodeEditor &editor) : EditorDecorator(editor) {
    editor.viewport()->setMouseTracking(true);
    editor.viewport()->installEventFilter(this);
}

bool FoldMarks::isHeader(int line) const {
    return (editor().sci(QsciScintillaBase::SCI_GETFOLDLEVEL, line) &
            QsciScintillaBase::SC_FOLDLEVELHEADERFLAG) != 0;
}

void FoldMarks::toggleAt(int line) {
    if (!isHeader(line))
        line = static_cast<int>(editor().sci(QsciScintillaBase::SCI_GETFOLDPARENT, line));
    if (line >= 0)
        editor().sci(QsciScintillaBase::SCI_TOGGLEFOLD, line);
}

void FoldMarks::paint(QPainter &painter, const QRect &) {
    const Look &look = editor().look();
    const int height = editor().rowHeight();
    const int size = look.px(12);
    const int right = editor().marginSpan(CodeEditor::SymbolColumn).second;
    painter.setFont(look.font(TextRole::Small));
    const QIcon open = look.icon(QStringLiteral("chevron-down"), look.color("text.tertiary"));
    const QIcon closed = look.icon(QStringLiteral("chevron-right"), look.color("text.secondary"));
    for (const CodeEditor::ShownLine &line : editor().shownLines()) {
        if (!isHeader(line.line))
            continue;
        const bool isOpen = editor().sci(QsciScintillaBase::SCI_GETFOLDEXPANDED, line.line) != 0;
        const bool isTaken = (editor().markersAtLine(line.line) & (1U << CodeEditor::DiagnosticMarker)) != 0;
        if (!isTaken && (!isOpen || m_isOverMargin))
            (isOpen ? open : closed)
                .paint(&painter, right - look.px(16), line.top + (height - size) / 2, size, size);
        if (isOpen)
            continue;
        const long last = editor().sci(QsciScintillaBase::SCI_GETLASTCHILD, line.line, -1);
        const QString words = QStringLiteral("⋯ %1 lines").arg(last - line.line);
        const long end = editor().sci(QsciScintillaBase::SCI_GETLINEENDPOSITION, line.line);
        const int x =
            static_cast<int>(editor().sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, end)) + look.px(12);
        const int width = painter.fontMetrics().horizontalAdvance(words) + look.px(12);
        painter.setPen(look.color("text.secondary"));
        const QRect badge(x, line.top + look.px(2), width, height - look.px(4));
        painter.fillRect(badge, look.color("bg.hover"));
        painter.drawText(badge, Qt::AlignCenter, words);
    }
}

bool FoldMarks::eventFilter(QObject *watched, QEvent *event) {
    bool isOver = m_isOverMargin;
    if (event->type() == QEvent::MouseMove)
        isOver = static_cast<QMouseEvent *>(event)->position().x() <
                 editor().marginSpan(CodeEditor::SymbolColumn).second;
    else if (event->type() == QEvent::Leave)
        isOver = false;
    if (isOver != m_isOverMargin) {
        m_isOverMargin = isOver;
        editor().viewport()->update();
    }
    return EditorDecorator::eventFilter(watched, event);
}

} // namespace warpwright
