// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/code_editor.h"

#include <QString>

#include <vector>

namespace warpwright {

/// What stands open where a text ends: brackets, a comment, a string, a statement. From it follows how deep
/// the next line begins and whether a bracket closes itself. Functions of values; columns count from 0.
struct TextBefore {
    enum class In { Code, LineComment, Comment, String };
    struct Bracket {
        QChar sign;
        int line = 0; ///< from 0
        int column = 0;
        int statementIndent = 0; ///< of the statement that it stands in
        bool endsLine = false;   ///< nothing follows it on its line

        bool operator==(const Bracket &) const = default;
    };

    In in = In::Code;
    QChar quote; ///< that began the string
    std::vector<Bracket> open;
    int lastLine = 0;            ///< from 0
    int lastIndent = 0;          ///< of the last line, as it is
    int statementIndent = 0;     ///< of the statement that ends or goes on in the last line
    int statementLine = 0;       ///< where it begins
    QString firstWord;           ///< of that statement
    QChar lastSign;              ///< of the last line's code; null: it has none
    bool isWhole = true;         ///< the statement has ended
    bool isDirective = false;    ///< the last line is the preprocessor's
    bool hasClosedOlder = false; ///< the last line closes a bracket that an earlier one opened

    bool operator==(const TextBefore &) const = default;
};

/// How far a text has been read, to read on from there.
struct TextReading {
    TextBefore now;
    QString rawEnd; ///< of the raw string that stands open
    bool isInStatement = false;
    bool isTriple = false;
    bool isRaw = false;
};

/// Reads `text` from `from` on. A piece ends before a line's end; the next one begins with the character
/// before that line's end, and is read from 1 on.
void readOn(TextReading &reading, const QString &text, qsizetype from, CodeEditor::Language language,
            int tabWidth);
[[nodiscard]] TextBefore endOf(TextReading reading);
[[nodiscard]] TextBefore lookBefore(const QString &text, CodeEditor::Language language, int tabWidth);

/// The indent of a line that begins behind this text.
[[nodiscard]] int indentBehind(const TextBefore &before, CodeEditor::Language language, int width);
/// Where a closing bracket belongs that comes first on its line; -1: nothing is open that it closes.
[[nodiscard]] int indentOfClosing(const TextBefore &before, QChar closing);

/// Of ( [ { and quotes; null: it has none.
[[nodiscard]] QChar partnerOf(QChar opening);
/// Whether what closes `opening` is written with it: not before a word, not in comments and strings, and no
/// quote behind a letter, as in «don't» or 1'000. `back`, `next`: the characters beside it; null: none.
[[nodiscard]] bool closesItself(QChar opening, const TextBefore &before, QChar back, QChar next,
                                const QString &wordBefore);

} // namespace warpwright
