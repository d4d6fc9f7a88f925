// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/auto_close.h"

#include "widgets/editor/kept_readings.h"

#include <QKeyEvent>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

} // namespace

AutoClose::AutoClose(CodeEditor &editor) : EditorDecorator(editor) {
    // An indicator that nobody sees moves with what we have closed, and is gone with it.
    editor.sci(Sci::SCI_INDICSETSTYLE, CodeEditor::ClosedIndicator, Sci::INDIC_HIDDEN);
    editor.installEventFilter(this);
}

bool AutoClose::eventFilter(QObject *watched, QEvent *event) {
    if (watched != &editor() || event->type() != QEvent::KeyPress || !isEnabled() || editor().isReadOnly() ||
        editor().sci(Sci::SCI_GETSELECTIONS) > 1)
        return EditorDecorator::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    // AltGr writes brackets on many keyboards, and comes as Ctrl and Alt.
    const Qt::KeyboardModifiers held = key->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    const bool isTyping = held == Qt::NoModifier || held == (Qt::ControlModifier | Qt::AltModifier);
    if (key->key() == Qt::Key_Backspace && key->modifiers() == Qt::NoModifier)
        return deletePair();
    return isTyping && key->text().size() == 1 && typed(key->text().front());
}

void AutoClose::adopt() {
    const long caret = editor().sci(Sci::SCI_GETCURRENTPOS);
    const QChar closing = partnerOf(signAt(caret - 1));
    if (isEnabled() && !closing.isNull() && signAt(caret) == closing)
        mark(caret, true);
}

bool AutoClose::typed(QChar sign) {
    CodeEditor &text = editor();
    const QChar closing = partnerOf(sign);
    if (text.sci(Sci::SCI_GETSELECTIONEMPTY) == 0)
        return !closing.isNull() && wrap(sign, closing);
    const long caret = text.sci(Sci::SCI_GETCURRENTPOS);
    // A quote behind a backslash is one of the string.
    long slashes = 0;
    while (signAt(caret - 1 - slashes) == u'\\')
        ++slashes;
    if (signAt(caret) == sign && isOurs(caret) && slashes % 2 == 0) {
        mark(caret, false);
        text.sci(Sci::SCI_GOTOPOS, caret + 1);
        return true;
    }
    if (closing.isNull())
        return false;
    const long wordStart = text.sci(Sci::SCI_WORDSTARTPOSITION, caret, 1);
    const QByteArray word(
        reinterpret_cast<const char *>(text.sci(Sci::SCI_GETRANGEPOINTER, wordStart, caret - wordStart)),
        caret - wordStart);
    if (!closesItself(sign, text.decorator<KeptReadings>().before(caret), signAt(caret - 1), signAt(caret),
                      QString::fromUtf8(word)))
        return false;
    const QByteArray pair = (QString(sign) + closing).toUtf8();
    text.sci(Sci::SCI_BEGINUNDOACTION);
    text.sci(Sci::SCI_INSERTTEXT, caret, reinterpret_cast<long>(pair.constData()));
    text.sci(Sci::SCI_ENDUNDOACTION);
    text.sci(Sci::SCI_GOTOPOS, caret + 1);
    mark(caret + 1, true);
    // As if it had been typed, for those who wait for an opening bracket.
    emit text.SCN_CHARADDED(sign.unicode());
    return true;
}

bool AutoClose::wrap(QChar opening, QChar closing) {
    CodeEditor &text = editor();
    if (text.sci(Sci::SCI_SELECTIONISRECTANGLE) != 0)
        return false;
    const long start = text.sci(Sci::SCI_GETSELECTIONSTART);
    const long end = text.sci(Sci::SCI_GETSELECTIONEND);
    const bool isForwards = text.sci(Sci::SCI_GETANCHOR) == start;
    const QByteArray first = QString(opening).toUtf8();
    const QByteArray last = QString(closing).toUtf8();
    text.sci(Sci::SCI_BEGINUNDOACTION);
    text.sci(Sci::SCI_INSERTTEXT, end, reinterpret_cast<long>(last.constData()));
    text.sci(Sci::SCI_INSERTTEXT, start, reinterpret_cast<long>(first.constData()));
    text.sci(Sci::SCI_ENDUNDOACTION);
    text.sci(Sci::SCI_SETSELECTION, isForwards ? end + 1 : start + 1, isForwards ? start + 1 : end + 1);
    return true;
}

bool AutoClose::deletePair() {
    CodeEditor &text = editor();
    const long caret = text.sci(Sci::SCI_GETCURRENTPOS);
    if (text.sci(Sci::SCI_GETSELECTIONEMPTY) == 0 || caret == 0 || !isOurs(caret) ||
        partnerOf(signAt(caret - 1)) != signAt(caret))
        return false;
    text.sci(Sci::SCI_DELETERANGE, caret - 1, 2);
    return true;
}

QChar AutoClose::signAt(long position) const {
    if (position < 0 || position >= editor().sci(Sci::SCI_GETLENGTH))
        return {};
    // Beyond ASCII it matters only that it is no blank and no sign of ours.
    const auto byte = static_cast<unsigned char>(editor().sci(Sci::SCI_GETCHARAT, position));
    return byte < 0x80 ? QChar(static_cast<char16_t>(byte)) : QChar(u'x');
}

bool AutoClose::isOurs(long position) const {
    return position < editor().sci(Sci::SCI_GETLENGTH) &&
           editor().sci(Sci::SCI_INDICATORVALUEAT, CodeEditor::ClosedIndicator, position) != 0;
}

void AutoClose::mark(long position, bool isOurs) {
    editor().sci(Sci::SCI_SETINDICATORCURRENT, CodeEditor::ClosedIndicator);
    editor().sci(isOurs ? Sci::SCI_INDICATORFILLRANGE : Sci::SCI_INDICATORCLEARRANGE, position, 1);
}

} // namespace warpwright
