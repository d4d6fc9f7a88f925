// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/steady_undo.h"

#include <QApplication>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

constexpr int firstTyped = -2;
constexpr int typedOn = -3;
constexpr int firstPlace = -16; ///< and below: a position in the text

constexpr int mostTyped = 10000; // of a row; each is a step of its own for Scintilla

} // namespace

SteadyUndo::SteadyUndo(CodeEditor &editor) : QObject(&editor), m_editor(editor) {
    connect(&editor, &QsciScintillaBase::SCN_MODIFIED, this,
            [this](int position, int type, const char *, int length, int, int, int, int, int given, int) {
                const bool isChange = (type & (Sci::SC_MOD_INSERTTEXT | Sci::SC_MOD_DELETETEXT)) != 0;
                if (isChange && !m_isTyping)
                    m_typedAt.clear();
                if (isChange && (type & Sci::SC_PERFORMED_USER) != 0)
                    m_undone.clear(); // nothing can be done again
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

void SteadyUndo::keepingPlace(const std::function<void()> &act) {
    if (m_editor.isReadOnly())
        return act();
    m_editor.sci(Sci::SCI_BEGINUNDOACTION);
    markPlace();
    act();
    markPlace();
    m_editor.sci(Sci::SCI_ENDUNDOACTION);
}

// In the history itself, for two editors may share it.
void SteadyUndo::markPlace() {
    for (const unsigned end : {Sci::SCI_GETANCHOR, Sci::SCI_GETCURRENTPOS})
        m_editor.sci(Sci::SCI_ADDUNDOACTION, firstPlace - m_editor.sci(end), 0);
}

void SteadyUndo::beginTyping() {
    const bool isOn = !m_typedAt.empty() && m_typedAt == carets();
    m_isTyping = true;
    m_editor.sci(Sci::SCI_BEGINUNDOACTION);
    m_editor.sci(Sci::SCI_ADDUNDOACTION, isOn ? typedOn : firstTyped, 0);
}

void SteadyUndo::endTyping() {
    m_editor.sci(Sci::SCI_ENDUNDOACTION);
    m_isTyping = false;
    m_typedAt = carets();
}

std::vector<long> SteadyUndo::carets() const {
    std::vector<long> places;
    const long count = m_editor.sci(Sci::SCI_GETSELECTIONS);
    for (long n = 0; n < count; ++n)
        for (const unsigned end : {Sci::SCI_GETSELECTIONNANCHOR, Sci::SCI_GETSELECTIONNCARET})
            places.push_back(m_editor.sci(end, n));
    return places;
}

// Of two editors over one text the one that is written in goes back to its place.
bool SteadyUndo::isAnothers() const {
    const auto *other = qobject_cast<CodeEditor *>(QApplication::focusWidget());
    return other != nullptr && other != &m_editor &&
           other->sci(Sci::SCI_GETDOCPOINTER) == m_editor.sci(Sci::SCI_GETDOCPOINTER);
}

// Undone, the place before is passed last, its anchor behind its caret; done again the place after.
void SteadyUndo::passedPlace(long position, bool isUndo) {
    m_passed = {m_passed[1], position};
    if (std::exchange(m_isRestoring, true))
        return;
    QMetaObject::invokeMethod(
        this,
        [this, isUndo] {
            m_isRestoring = false;
            if (isAnothers())
                return;
            m_editor.sci(Sci::SCI_SETSELECTION, m_passed[isUndo ? 0 : 1], m_passed[isUndo ? 1 : 0]);
            m_editor.sci(Sci::SCI_SCROLLCARET);
        },
        Qt::QueuedConnection);
}

// Scintilla is in the middle of its step: the rest of the row follows when that has ended.
void SteadyUndo::passedTyping(bool isFirst, bool isUndo) {
    if (isAnothers())
        return;
    m_isInRow = isUndo && !isFirst;
    if (isUndo) {
        ++m_undoing;
        if (isFirst)
            return m_undone.push_back(std::exchange(m_undoing, 0));
        if (m_undoing > 1)
            return;
        QMetaObject::invokeMethod(
            this,
            [this] {
                for (int n = 0; m_isInRow && n < mostTyped; ++n)
                    m_editor.sci(Sci::SCI_UNDO);
                m_undoing = 0;
            },
            Qt::QueuedConnection);
    } else if (isFirst && !m_undone.empty()) {
        const int rest = m_undone.back() - 1;
        m_undone.pop_back();
        QMetaObject::invokeMethod(
            this,
            [this, rest] {
                for (int n = 0; n < rest; ++n)
                    m_editor.sci(Sci::SCI_REDO);
            },
            Qt::QueuedConnection);
    }
}

void SteadyUndo::followed(int position, int type, int length, int given) {
    if ((type & Sci::SC_MOD_CONTAINER) != 0 && given < token) {
        const bool isUndo = (type & Sci::SC_PERFORMED_UNDO) != 0;
        return given <= firstPlace ? passedPlace(firstPlace - given, isUndo)
                                   : passedTyping(given == firstTyped, isUndo);
    }
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
