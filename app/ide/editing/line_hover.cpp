// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/line_hover.h"

#include "widgets/editor/code_editor.h"

#include <QMouseEvent>

namespace warpwright {

LineHover::LineHover(CodeEditor &editor) : QObject(&editor), m_editor(editor) {
    editor.viewport()->setMouseTracking(true);
    editor.viewport()->installEventFilter(this);
}

bool LineHover::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::Leave) {
        int line = 0;
        // While a button is down text is being selected.
        if (event->type() == QEvent::MouseMove &&
            static_cast<QMouseEvent *>(event)->buttons() == Qt::NoButton) {
            const int y = static_cast<QMouseEvent *>(event)->position().toPoint().y();
            for (const CodeEditor::ShownLine &shown : m_editor.shownLines())
                if (y >= shown.top && y < shown.top + m_editor.rowHeight())
                    line = shown.line + 1;
        }
        if (std::exchange(m_line, line) != line)
            emit hovered(line);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace warpwright
