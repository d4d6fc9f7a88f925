// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/steady_undo.h"

#include <algorithm>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

} // namespace

SteadyUndo::SteadyUndo(CodeEditor &editor) : QObject(&editor), m_editor(editor) {
    connect(&editor, &QsciScintillaBase::SCN_MODIFIED, this,
            [this](int position, int type, const char *, int length, int, int, int, int, int given, int) {
                if ((type & (Sci::SC_PERFORMED_UNDO | Sci::SC_PERFORMED_REDO)) != 0)
                    followed(position, type, length, given);
            });
}

// A mark at either end of the step: undone it is passed from behind.
void SteadyUndo::begin() {
    m_editor.sci(Sci::SCI_BEGINUNDOACTION);
    m_editor.sci(Sci::SCI_ADDUNDOACTION, token, 0);
}

void SteadyUndo::end() {
    m_editor.sci(Sci::SCI_ADDUNDOACTION, token, 0);
    m_editor.sci(Sci::SCI_ENDUNDOACTION);
}

void SteadyUndo::followed(int position, int type, int length, int given) {
    if ((type & Sci::SC_MOD_CONTAINER) != 0 && given == token) {
        m_isWithin = !m_isWithin;
        if (m_isWithin) {
            const long top =
                m_editor.sci(Sci::SCI_DOCLINEFROMVISIBLE, m_editor.sci(Sci::SCI_GETFIRSTVISIBLELINE));
            m_top = m_editor.sci(Sci::SCI_POSITIONFROMLINE, top);
            return;
        }
        // Scintilla moves the cursor when all has been undone.
        QMetaObject::invokeMethod(
            this,
            [this, top = m_top, anchor = m_editor.sci(Sci::SCI_GETANCHOR),
             caret = m_editor.sci(Sci::SCI_GETCURRENTPOS)] { restore(top, anchor, caret); },
            Qt::QueuedConnection);
        return;
    }
    if (!m_isWithin)
        return;
    if ((type & Sci::SC_MOD_INSERTTEXT) != 0 && position < m_top)
        m_top += length;
    else if ((type & Sci::SC_MOD_DELETETEXT) != 0 && position < m_top)
        m_top = std::max<long>(position, m_top - length);
}

void SteadyUndo::restore(long first, long anchor, long caret) {
    m_editor.sci(Sci::SCI_SETSELECTION, caret, anchor);
    const long line = m_editor.sci(Sci::SCI_LINEFROMPOSITION, first);
    m_editor.sci(Sci::SCI_SETFIRSTVISIBLELINE, m_editor.sci(Sci::SCI_VISIBLEFROMDOCLINE, line));
}

} // namespace warpwright
