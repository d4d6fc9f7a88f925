// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/include_lines.h"

#include "tests/guards/code_text.h"

#include <QRegularExpression>

namespace warpwright {

namespace {

bool mayBeDirective(const QString &line) {
    for (const QChar sign : line)
        if (!sign.isSpace())
            return sign == '#' || sign == '%' || line.contains(QLatin1String("*/"));
    return false;
}

/// Up to the last line of the preprocessor: nearly always the first of some hundred.
QStringList linesWithDirectives(const QStringList &lines) {
    qsizetype count = lines.size();
    while (count > 0 && !mayBeDirective(lines.at(count - 1)))
        --count;
    while (count > 0 && count < lines.size() && lines.at(count - 1).endsWith('\\'))
        ++count;
    return lines.mid(0, count);
}

} // namespace

QVector<IncludeLine> includeLines(const GuardFile &file) {
    static const QRegularExpression escapedBreak("\\\\\\r?\\n");
    static const QString blanks = "(?:\\s|/\\*.*?\\*/)*";
    static const QRegularExpression include("^(?:#|%:)" + blanks + "(?:include|import|include_next)\\b" +
                                                blanks + "(?:\"([^\"]*)\"|<([^>]*)>|(.*))",
                                            QRegularExpression::DotMatchesEverythingOption);
    QVector<IncludeLine> found;
    for (const CodePiece &piece : codePieces(linesWithDirectives(file.lines))) {
        if (piece.kind != CodePiece::Kind::Directive)
            continue;
        const auto match = include.match(QString(piece.text).remove(escapedBreak));
        if (!match.hasMatch())
            continue;
        const bool isQuoted = match.capturedStart(1) >= 0;
        const bool isAngled = match.capturedStart(2) >= 0;
        found.append({piece.line,
                      isQuoted   ? IncludeLine::Kind::Quoted
                      : isAngled ? IncludeLine::Kind::Angled
                                 : IncludeLine::Kind::Computed,
                      match.captured(isQuoted   ? 1
                                     : isAngled ? 2
                                                : 3)
                          .trimmed()});
    }
    return found;
}

} // namespace warpwright
