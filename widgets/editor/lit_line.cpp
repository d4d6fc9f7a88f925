// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/lit_line.h"

#include "widgets/editor/code_editor.h"

#include <QPainter>

namespace warpwright {

void LitLine::setLine(int line) {
    if (std::exchange(m_line, line) != line)
        editor().viewport()->update();
}

void LitLine::paint(QPainter &painter, const QRect &) {
    if (m_line == 0)
        return;
    // Over the text, so it must let it through.
    QColor veil = editor().look().color("accent.focus");
    veil.setAlpha(38);
    for (const CodeEditor::ShownLine &line : editor().shownLines())
        if (line.line == m_line - 1) {
            painter.fillRect(0, line.top, editor().viewport()->width(), editor().rowHeight(), veil);
            painter.fillRect(0, line.top, editor().look().px(3), editor().rowHeight(),
                             editor().look().color("accent.focus"));
        }
}

} // namespace warpwright
