// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/steady_undo.h"

#include "widgets/editor/code_editor.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMimeData>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

constexpr int firstTyped = -2;
constexpr int typedOn = -3;
constexpr int edgeOfPlaces = -4; ///< before the places of the cursors and behind them
constexpr int firstPlace = -16;  ///< and below: a position in the text

constexpr int mostTyped = 10000; // of a row; each is a step of its own for Scintilla

} // namespace

SteadyUndo::SteadyUndo(CodeEditor &editor) : EditorDecorator(editor) {
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
    editor().sci(Sci::SCI_BEGINUNDOACTION);
    editor().sci(Sci::SCI_ADDUNDOACTION, token, 0);
}

void SteadyUndo::end() {
    editor().sci(Sci::SCI_ADDUNDOACTION, token, 0);
    editor().sci(Sci::SCI_ENDUNDOACTION);
}

void SteadyUndo::keepingPlace(const std::function<void()> &act) {
    if (editor().isReadOnly())
        return act();
    editor().sci(Sci::SCI_BEGINUNDOACTION);
    markPlaces();
    act();
    markPlaces();
    editor().sci(Sci::SCI_ENDUNDOACTION);
}

// In the history itself, for two editors may share it.
void SteadyUndo::markPlaces() {
    editor().sci(Sci::SCI_ADDUNDOACTION, edgeOfPlaces, 0);
    for (const long place : carets())
        editor().sci(Sci::SCI_ADDUNDOACTION, firstPlace - place, 0);
    editor().sci(Sci::SCI_ADDUNDOACTION, edgeOfPlaces, 0);
}

bool SteadyUndo::isAnySelected() const {
    return editor().sci(Sci::SCI_GETSELECTIONEMPTY) == 0;
}

std::optional<SteadyUndo::Kind> SteadyUndo::kindOf(const QKeyEvent &key) const {
    if (editor().isReadOnly() || editor().sci(Sci::SCI_GETSELECTIONS) < 2)
        return std::nullopt;
    if (key.matches(QKeySequence::Paste)) {
        const QMimeData *held = QApplication::clipboard()->mimeData();
        return held != nullptr && held->hasText() ? std::optional(Kind::Alone) : std::nullopt;
    }
    const auto ifSelected = [this](Kind kind) {
        return isAnySelected() ? std::optional(kind) : std::nullopt;
    };
    if (key.matches(QKeySequence::Cut))
        return ifSelected(Kind::Alone);
    const bool isControl = (key.modifiers() & Qt::ControlModifier) != 0;
    const bool isAlt = (key.modifiers() & Qt::AltModifier) != 0;
    switch (key.key()) {
    case Qt::Key_Backspace:
    case Qt::Key_Delete:
        if (isAlt)
            return std::nullopt;
        // With Ctrl it is a word that goes.
        return isControl ? Kind::Alone : key.key() == Qt::Key_Backspace ? Kind::DeletedBack : Kind::Deleted;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
        return isControl || isAlt ? std::nullopt : std::optional(Kind::Alone);
    default:
        return !key.text().isEmpty() && key.text().front().isPrint() ? std::optional(Kind::Typed)
                                                                     : std::nullopt;
    }
}

bool SteadyUndo::typeKey(const QKeyEvent &key, const std::function<void()> &write) {
    const std::optional<Kind> several = kindOf(key);
    if (!several)
        return false;
    const Kind kind = *several;
    const bool isOn = kind != Kind::Alone && kind == m_kind && !m_typedAt.empty() && m_typedAt == carets();
    m_isTyping = true;
    editor().sci(Sci::SCI_BEGINUNDOACTION);
    editor().sci(Sci::SCI_ADDUNDOACTION, isOn ? typedOn : firstTyped, 0);
    markPlaces();
    write();
    markPlaces();
    editor().sci(Sci::SCI_ENDUNDOACTION);
    m_isTyping = false;
    m_typedAt = carets();
    m_kind = kind;
    return true;
}

// Anchor and cursor of each, those of the main one last.
std::vector<long> SteadyUndo::carets() const {
    std::vector<long> places;
    const long count = editor().sci(Sci::SCI_GETSELECTIONS);
    const long main = editor().sci(Sci::SCI_GETMAINSELECTION);
    for (long i = 1; i <= count; ++i)
        for (const unsigned end : {Sci::SCI_GETSELECTIONNANCHOR, Sci::SCI_GETSELECTIONNCARET})
            places.push_back(editor().sci(end, (main + i) % count));
    return places;
}

// Of two editors over one text the one that is written in goes back to its place.
bool SteadyUndo::isAnothers() const {
    const auto *other = qobject_cast<CodeEditor *>(QApplication::focusWidget());
    return other != nullptr && other != &editor() &&
           other->sci(Sci::SCI_GETDOCPOINTER) == editor().sci(Sci::SCI_GETDOCPOINTER);
}

// Undone, the places before are passed last, in the opposite order; done again those after.
void SteadyUndo::passedPlace(int given, bool isUndo) {
    m_isPassedByUndo = isUndo;
    if (given != edgeOfPlaces)
        return m_passed.push_back(firstPlace - given);
    m_isWithinPlaces = !m_isWithinPlaces;
    if (m_isWithinPlaces)
        m_passed.clear();
    else if (!std::exchange(m_isRestoring, true))
        QMetaObject::invokeMethod(this, &SteadyUndo::restorePlaces, Qt::QueuedConnection);
}

void SteadyUndo::restorePlaces() {
    m_isRestoring = false;
    std::vector<long> places = m_passed;
    if (isAnothers() || places.size() < 2)
        return;
    if (m_isPassedByUndo)
        std::reverse(places.begin(), places.end());
    for (std::size_t i = 0; i + 1 < places.size(); i += 2)
        editor().sci(i == 0 ? Sci::SCI_SETSELECTION : Sci::SCI_ADDSELECTION, places[i + 1], places[i]);
    editor().sci(Sci::SCI_SCROLLCARET);
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
                    editor().sci(Sci::SCI_UNDO);
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
                    editor().sci(Sci::SCI_REDO);
            },
            Qt::QueuedConnection);
    }
}

void SteadyUndo::followed(int position, int type, int length, int given) {
    if ((type & Sci::SC_MOD_CONTAINER) != 0 && given < token) {
        const bool isUndo = (type & Sci::SC_PERFORMED_UNDO) != 0;
        return given == edgeOfPlaces || given <= firstPlace ? passedPlace(given, isUndo)
                                                            : passedTyping(given == firstTyped, isUndo);
    }
    if ((type & Sci::SC_MOD_CONTAINER) != 0 && given == token) {
        m_isWithin = !m_isWithin;
        if (m_isWithin) {
            const long top =
                editor().sci(Sci::SCI_DOCLINEFROMVISIBLE, editor().sci(Sci::SCI_GETFIRSTVISIBLELINE));
            m_top = editor().sci(Sci::SCI_POSITIONFROMLINE, top);
            return;
        }
        // Scintilla moves the cursor when all has been undone.
        QMetaObject::invokeMethod(
            this,
            [this, top = m_top, anchor = editor().sci(Sci::SCI_GETANCHOR),
             caret = editor().sci(Sci::SCI_GETCURRENTPOS)] { restore(top, anchor, caret); },
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
    editor().sci(Sci::SCI_SETSELECTION, caret, anchor);
    const long line = editor().sci(Sci::SCI_LINEFROMPOSITION, first);
    editor().sci(Sci::SCI_SETFIRSTVISIBLELINE, editor().sci(Sci::SCI_VISIBLEFROMDOCLINE, line));
}

} // namespace warpwright
