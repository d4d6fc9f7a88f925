// SPDX-License-Identifier: GPL-3.0-or-later
// C++ as scans of the guards need it: code with all else blank; and what was blanked.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace warpwright {

/// Comments, literals and the preprocessor's lines are blanks; every line break stays where it was.
QString codeText(const QStringList &lines);

/// A comment or a literal with its signs around it, as it is written; or a line of the preprocessor with
/// those in it.
struct CodePiece {
    enum class Kind { Comment, Literal, RawLiteral, Directive };
    Kind kind;
    QString text; ///< of a raw literal without its prefix
    int line;     ///< where it begins, from 1
};
/// In the order in which they stand.
QVector<CodePiece> codePieces(const QStringList &lines);

} // namespace warpwright
