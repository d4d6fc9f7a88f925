// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse does in an editor besides Scintilla's own: more carets, rectangles, the size of fonts.
#include "widgets/editor/code_editor.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <utility>

namespace warpwright {

void CodeEditor::wheelEvent(QWheelEvent *event) {
    if (event->modifiers() == Qt::ControlModifier) {
        if (event->angleDelta().y() != 0)
            emit zoomRequested(event->angleDelta().y() > 0 ? 1 : -1);
        event->accept();
        return;
    }
    QsciScintilla::wheelEvent(event);
}

void CodeEditor::mousePressEvent(QMouseEvent *event) {
    m_altPress.reset();
    if (event->button() != Qt::LeftButton || event->modifiers() != Qt::AltModifier) {
        QsciScintilla::mousePressEvent(event);
        return;
    }
    m_altPress = event->pos();
    setFocus(Qt::MouseFocusReason);
    event->accept();
}

void CodeEditor::mouseMoveEvent(QMouseEvent *event) {
    if (m_altPress && (event->buttons() & Qt::LeftButton) != 0) {
        const QPoint corner = *m_altPress;
        if ((event->pos() - corner).manhattanLength() < QApplication::startDragDistance() / 2)
            return;
        m_altPress.reset();
        // On X11 QScintilla 2.13 takes Ctrl for a rectangle, fixed, as window managers often keep Alt for
        // themselves. Where Alt does arrive it means the same, and other selections go.
        sci(SCI_SETEMPTYSELECTION, sci(SCI_GETCURRENTPOS));
        QMouseEvent asControl(QEvent::MouseButtonPress, corner, viewport()->mapToGlobal(corner),
                              Qt::LeftButton, Qt::LeftButton, Qt::ControlModifier);
        sci(SCI_SETMULTIPLESELECTION, 0);
        QsciScintilla::mousePressEvent(&asControl);
        sci(SCI_SETMULTIPLESELECTION, 1);
    }
    QsciScintilla::mouseMoveEvent(event);
}

void CodeEditor::mouseReleaseEvent(QMouseEvent *event) {
    if (!m_altPress || event->button() != Qt::LeftButton) {
        QsciScintilla::mouseReleaseEvent(event);
        return;
    }
    const QPoint place = *std::exchange(m_altPress, std::nullopt);
    event->accept();
    const long position = sci(SCI_POSITIONFROMPOINT, place.x(), place.y());
    const long count = sci(SCI_GETSELECTIONS);
    for (long n = 0; n < count; ++n)
        if (sci(SCI_GETSELECTIONNCARET, n) == position && sci(SCI_GETSELECTIONNANCHOR, n) == position) {
            if (count > 1) // once more takes it away
                sci(SCI_DROPSELECTIONN, n);
            return;
        }
    sci(SCI_ADDSELECTION, position, position);
}

} // namespace warpwright
