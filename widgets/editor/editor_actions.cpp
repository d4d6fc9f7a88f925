// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/editor_actions.h"

#include <Qsci/qscicommandset.h>
#include <Qsci/qsciscintilla.h>

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

long ask(const QsciScintilla &editor, unsigned message, long wParam = 0, long lParam = 0) {
    return editor.SendScintilla(message, static_cast<unsigned long>(wParam), lParam);
}

QByteArray lineText(const QsciScintilla &editor, int line) {
    const long start = ask(editor, Sci::SCI_POSITIONFROMLINE, line);
    const long end = ask(editor, Sci::SCI_GETLINEENDPOSITION, line);
    QByteArray text(end - start, '\0');
    if (!text.isEmpty()) // the range as bytes; bytes() would add a zero
        std::copy_n(reinterpret_cast<const char *>(ask(editor, Sci::SCI_GETRANGEPOINTER, start, end - start)),
                    text.size(), text.begin());
    return text;
}

/// Leaves the selection alone, as SCI_INSERTTEXT does not.
void replaceText(QsciScintilla &editor, long position, long length, const QByteArray &text) {
    ask(editor, Sci::SCI_SETTARGETRANGE, position, position + length);
    ask(editor, Sci::SCI_REPLACETARGET, text.size(), reinterpret_cast<long>(text.constData()));
}

qsizetype indentOf(const QByteArray &text) {
    const auto blank = [](char c) {
        return c == ' ' || c == '\t';
    };
    return std::find_if_not(text.begin(), text.end(), blank) - text.begin();
}

} // namespace

std::pair<int, int> selectedLines(const QsciScintilla &editor) {
    const long start = ask(editor, Sci::SCI_GETSELECTIONSTART);
    const long end = ask(editor, Sci::SCI_GETSELECTIONEND);
    const long first = ask(editor, Sci::SCI_LINEFROMPOSITION, start);
    long last = ask(editor, Sci::SCI_LINEFROMPOSITION, end);
    if (last > first && ask(editor, Sci::SCI_POSITIONFROMLINE, last) == end)
        --last;
    return {static_cast<int>(first), static_cast<int>(last)};
}

void toggleLineComments(QsciScintilla &editor, const char *sign) {
    if (editor.isReadOnly())
        return;
    const QByteArray mark(sign);
    const auto [first, last] = selectedLines(editor);
    bool areAllComments = true;
    bool isAllBlank = true;
    qsizetype indent = std::numeric_limits<qsizetype>::max();
    for (int line = first; line <= last; ++line) {
        const QByteArray text = lineText(editor, line);
        const qsizetype start = indentOf(text);
        if (start == text.size())
            continue;
        isAllBlank = false;
        indent = std::min(indent, start);
        areAllComments = areAllComments && text.sliced(start).startsWith(mark);
    }
    if (isAllBlank)
        return;
    editor.beginUndoAction();
    for (int line = last; line >= first; --line) {
        const QByteArray text = lineText(editor, line);
        const qsizetype start = indentOf(text);
        if (start == text.size())
            continue;
        const long lineStart = ask(editor, Sci::SCI_POSITIONFROMLINE, line);
        if (areAllComments) {
            const bool hasBlank = text.sliced(start + mark.size()).startsWith(' ');
            replaceText(editor, lineStart + start, mark.size() + (hasBlank ? 1 : 0), {});
        } else {
            replaceText(editor, lineStart + indent, 0, mark + ' ');
        }
    }
    editor.endUndoAction();
}

void selectNextOccurrence(QsciScintilla &editor) {
    if (ask(editor, Sci::SCI_GETSELECTIONEMPTY) != 0) {
        const long caret = ask(editor, Sci::SCI_GETCURRENTPOS);
        const long start = ask(editor, Sci::SCI_WORDSTARTPOSITION, caret, 1);
        const long end = ask(editor, Sci::SCI_WORDENDPOSITION, caret, 1);
        if (start != end)
            ask(editor, Sci::SCI_SETSELECTION, end, start);
        return;
    }
    // A whole word means that word: the next «i» is not the one in «if».
    const long start = ask(editor, Sci::SCI_GETSELECTIONSTART);
    const long end = ask(editor, Sci::SCI_GETSELECTIONEND);
    const bool isWord = ask(editor, Sci::SCI_ISRANGEWORD, start, end) != 0;
    ask(editor, Sci::SCI_SETSEARCHFLAGS, Sci::SCFIND_MATCHCASE | (isWord ? Sci::SCFIND_WHOLEWORD : 0));
    ask(editor, Sci::SCI_TARGETWHOLEDOCUMENT);
    ask(editor, Sci::SCI_MULTIPLESELECTADDNEXT);
    ask(editor, Sci::SCI_SCROLLCARET);
}

bool canMoveSelectedLines(const QsciScintilla &editor, int by) {
    const auto [first, last] = selectedLines(editor);
    const long length = ask(editor, Sci::SCI_GETLENGTH);
    if (by < 0)
        return first > 0 && ask(editor, Sci::SCI_POSITIONFROMLINE, first) < length;
    return last + 1 < ask(editor, Sci::SCI_GETLINECOUNT) &&
           ask(editor, Sci::SCI_POSITIONFROMLINE, last + 1) < length;
}

void moveSelectedLines(QsciScintilla &editor, int by) {
    const int first = selectedLines(editor).first;
    const long start = ask(editor, Sci::SCI_POSITIONFROMLINE, first);
    const long anchor = ask(editor, Sci::SCI_GETANCHOR) - start;
    const long caret = ask(editor, Sci::SCI_GETCURRENTPOS) - start;
    ask(editor, by < 0 ? Sci::SCI_MOVESELECTEDLINESUP : Sci::SCI_MOVESELECTEDLINESDOWN);
    if (editor.isReadOnly())
        return;
    // Scintilla selects all of what it has moved.
    const long now = ask(editor, Sci::SCI_POSITIONFROMLINE, first + by);
    const long length = ask(editor, Sci::SCI_GETLENGTH);
    ask(editor, Sci::SCI_SETSELECTION, std::min(length, now + caret), std::min(length, now + anchor));
    ask(editor, Sci::SCI_SCROLLCARET);
}

void duplicateSelectedLines(QsciScintilla &editor) {
    if (editor.isReadOnly())
        return;
    const auto [first, last] = selectedLines(editor);
    const long start = ask(editor, Sci::SCI_POSITIONFROMLINE, first);
    const long end = ask(editor, Sci::SCI_GETLINEENDPOSITION, last);
    const QByteArray text(
        reinterpret_cast<const char *>(ask(editor, Sci::SCI_GETRANGEPOINTER, start, end - start)),
        end - start);
    const long anchor = ask(editor, Sci::SCI_GETANCHOR);
    const long caret = ask(editor, Sci::SCI_GETCURRENTPOS);
    editor.beginUndoAction();
    replaceText(editor, end, 0, '\n' + text);
    ask(editor, Sci::SCI_SETSELECTION, caret + text.size() + 1, anchor + text.size() + 1);
    editor.endUndoAction();
}

void deleteSelectedLines(QsciScintilla &editor) {
    if (editor.isReadOnly())
        return;
    const auto [first, last] = selectedLines(editor);
    const long caret = ask(editor, Sci::SCI_GETCURRENTPOS);
    const long column = ask(editor, Sci::SCI_GETCOLUMN, caret);
    long start = ask(editor, Sci::SCI_POSITIONFROMLINE, first);
    const long count = ask(editor, Sci::SCI_GETLINECOUNT);
    const long end =
        last + 1 < count ? ask(editor, Sci::SCI_POSITIONFROMLINE, last + 1) : ask(editor, Sci::SCI_GETLENGTH);
    if (last + 1 >= count && first > 0) // the last line goes with the line end before it
        start = ask(editor, Sci::SCI_GETLINEENDPOSITION, first - 1);
    ask(editor, Sci::SCI_DELETERANGE, start, end - start);
    const long line = std::min<long>(first, ask(editor, Sci::SCI_GETLINECOUNT) - 1);
    ask(editor, Sci::SCI_GOTOPOS, ask(editor, Sci::SCI_FINDCOLUMN, line, column));
}

void joinSelectedLines(QsciScintilla &editor) {
    if (editor.isReadOnly())
        return;
    auto [first, last] = selectedLines(editor);
    last = std::min(std::max(last, first + 1), static_cast<int>(ask(editor, Sci::SCI_GETLINECOUNT)) - 1);
    editor.beginUndoAction();
    for (int line = last; line > first; --line) {
        long start = ask(editor, Sci::SCI_GETLINEENDPOSITION, line - 1);
        const QByteArray above = lineText(editor, line - 1);
        const QByteArray below = lineText(editor, line);
        const qsizetype indent = indentOf(below);
        const bool isBlank = indentOf(above) == above.size();
        if (!isBlank)
            for (qsizetype at = above.size(); at > 0 && (above[at - 1] == ' ' || above[at - 1] == '\t'); --at)
                --start;
        const long end = ask(editor, Sci::SCI_POSITIONFROMLINE, line) + (isBlank ? 0 : indent);
        replaceText(editor, start, end - start, isBlank || indent == below.size() ? "" : " ");
        ask(editor, Sci::SCI_GOTOPOS, start);
    }
    editor.endUndoAction();
}

void indentSelectedLines(QsciScintilla &editor, int steps) {
    if (editor.isReadOnly())
        return;
    const auto [first, last] = selectedLines(editor);
    const int width = editor.indentationWidth();
    editor.beginUndoAction();
    for (int line = first; line <= last; ++line) {
        if (first != last && lineText(editor, line).isEmpty())
            continue; // no blanks at the ends of blank lines
        const int indent = editor.indentation(line);
        // To the next step, whatever the line began with.
        const int next = steps > 0 ? indent / width + steps : (indent + width - 1) / width + steps;
        if (std::max(0, next * width) != indent)
            editor.setIndentation(line, std::max(0, next * width));
    }
    editor.endUndoAction();
}

void addCaret(QsciScintilla &editor, int lines) {
    const long count = ask(editor, Sci::SCI_GETSELECTIONS);
    long outermost = ask(editor, Sci::SCI_GETSELECTIONNCARET, 0);
    for (long n = 1; n < count; ++n) {
        const long caret = ask(editor, Sci::SCI_GETSELECTIONNCARET, n);
        outermost = lines > 0 ? std::max(outermost, caret) : std::min(outermost, caret);
    }
    const long line = ask(editor, Sci::SCI_LINEFROMPOSITION, outermost) + lines;
    if (line < 0 || line >= ask(editor, Sci::SCI_GETLINECOUNT))
        return;
    // The column of the first one: a short line between does not make the next ones short.
    const long column = ask(editor, Sci::SCI_GETCOLUMN, ask(editor, Sci::SCI_GETSELECTIONNCARET, 0));
    const long position = ask(editor, Sci::SCI_FINDCOLUMN, line, column);
    ask(editor, Sci::SCI_ADDSELECTION, position, position);
    ask(editor, Sci::SCI_SCROLLCARET);
}

void goToPartnerOfBrace(QsciScintilla &editor) {
    const long caret = ask(editor, Sci::SCI_GETCURRENTPOS);
    for (const long position : {caret, caret - 1}) {
        const long partner = position < 0 ? -1 : ask(editor, Sci::SCI_BRACEMATCH, position);
        if (partner < 0)
            continue;
        ask(editor, Sci::SCI_ENSUREVISIBLE, ask(editor, Sci::SCI_LINEFROMPOSITION, partner));
        ask(editor, Sci::SCI_GOTOPOS, partner + (caret - position));
        return;
    }
}

void setUpEditorKeys(QsciCommandSet &commands) {
    const auto isOurs = [](int key) {
        if (key == 0)
            return false;
        const QKeyCombination keys = QKeyCombination::fromCombined(key);
        const Qt::KeyboardModifiers modifiers = keys.keyboardModifiers();
        const Qt::Key code = keys.key();
        const bool isMove = code == Qt::Key_Left || code == Qt::Key_Right || code == Qt::Key_Up ||
                            code == Qt::Key_Down || code == Qt::Key_Home || code == Qt::Key_End ||
                            code == Qt::Key_PageUp || code == Qt::Key_PageDown;
        if ((modifiers & Qt::AltModifier) != 0)
            return !(isMove && modifiers == (Qt::AltModifier | Qt::ShiftModifier) && // grows a rectangle
                     code != Qt::Key_Up && code != Qt::Key_Down);
        if ((modifiers & Qt::ControlModifier) == 0)
            return false;
        const bool isEdit = code == Qt::Key_Backspace || code == Qt::Key_Delete || code == Qt::Key_Insert ||
                            code == Qt::Key_A || code == Qt::Key_C || code == Qt::Key_V ||
                            code == Qt::Key_X || code == Qt::Key_Y || code == Qt::Key_Z;
        return !isMove && !isEdit;
    };
    for (QsciCommand *command : commands.commands()) {
        if (isOurs(command->key()))
            command->setKey(0);
        if (isOurs(command->alternateKey()))
            command->setAlternateKey(0);
    }
    if (QsciCommand *redo = commands.find(QsciCommand::Redo))
        redo->setAlternateKey(
            QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_Z).toCombined());
}

} // namespace warpwright
