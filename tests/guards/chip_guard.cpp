// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/chip_guard.h"

#include "tests/guards/code_text.h"

#include <QMap>
#include <QRegularExpression>
#include <QSet>

namespace warpwright {

namespace {

/// A number as it is written, without the signs that part its digits; -1: none.
double valueOf(const QString &literal) {
    static const QRegularExpression suffix("[uUlLzZ]+$|(?<!x)[fF]$");
    QString digits = literal;
    digits.remove('\'');
    const bool isHex = digits.startsWith("0x", Qt::CaseInsensitive);
    digits.remove(isHex ? QRegularExpression("[uUlLzZ]+$") : suffix);
    if (digits.startsWith("0b", Qt::CaseInsensitive))
        return double(digits.mid(2).toLongLong(nullptr, 2));
    return isHex ? double(digits.mid(2).toLongLong(nullptr, 16)) : digits.toDouble();
}

/// 132 multiprocessors and multiples, 227 and 228 KiB of shared memory, and rates of 1e10 and more, which
/// have a point or an exponent.
bool isFigure(const QString &literal) {
    static const QSet<double> known{132, 264, 528, 227 * 1024, 228 * 1024};
    static const QRegularExpression floating("^[\\d']*(\\.|[\\d'.]+[eE])");
    const double value = valueOf(literal);
    return known.contains(value) || (value >= 1e10 && value < 1e16 && floating.match(literal).hasMatch());
}

/// 64 Ki registers, too, where they are written as a product.
bool isKibibytesOfChip(const QString &left, const QString &sign, const QString &right) {
    static const QSet<double> known{64, 227, 228};
    const double kibi = sign == "*" ? 1024 : 10;
    const double first = valueOf(left);
    const double second = valueOf(right);
    return (known.contains(first) && second == kibi) ||
           (sign == "*" && first == kibi && known.contains(second));
}

/// The figures of one line of code.
QStringList figuresIn(const QString &code) {
    static const QString literal =
        "(?:0[xX][\\da-fA-F']+|0[bB][01']+|(?:\\d[\\d']*\\.?[\\d']*|\\.\\d[\\d']*)(?:[eE][+-]?\\d+)?)"
        "[uUlLzZfF]*(?![\\w.'])";
    static const QRegularExpression product("(?<![\\w.'])(" + literal + ")(?:\\s*(\\*|<<)\\s*(" + literal +
                                            "))?");
    QStringList found;
    for (qsizetype at = 0;;) {
        const auto match = product.match(code, at);
        if (!match.hasMatch())
            return found;
        const QString left = match.captured(1);
        const QString right = match.captured(3);
        at = match.capturedEnd(1);
        if (!right.isEmpty() && isKibibytesOfChip(left, match.captured(2), right)) {
            found.append(match.captured());
            at = match.capturedEnd();
        } else if (isFigure(left)) {
            found.append(left);
        }
    }
}

/// What #define gives a name, with its line; comments and literals are blank.
QVector<QPair<int, QString>> definitions(const QVector<CodePiece> &pieces) {
    static const QRegularExpression define("^(?:#|%:)\\s*define\\b");
    QVector<QPair<int, QString>> found;
    for (const CodePiece &piece : pieces)
        if (const auto match = define.match(piece.text); match.hasMatch()) {
            const QStringList lines = codeText({piece.text.mid(match.capturedLength())}).split('\n');
            for (qsizetype at = 0; at < lines.size(); ++at)
                found.append({piece.line + int(at), lines.at(at)});
        }
    return found;
}

/// Lines of code that a comment says are "of an H100", beside it or above it. "An H100 took 3 ms" is where a
/// constant was measured, and no figure of that chip.
QSet<int> linesOfChips(const QVector<CodePiece> &pieces, const QStringList &lines, const QStringList &code) {
    static const QRegularExpression chip(
        "\\b[Oo]f an? [HB][12]00\\b|\\bthat an? [HB][12]00\\b|\\b[HB][12]00's\\b");
    QSet<int> found;
    for (const CodePiece &piece : pieces) {
        if (piece.kind != CodePiece::Kind::Comment || !chip.match(piece.text).hasMatch())
            continue;
        int line = piece.line;
        while (line < lines.size() && code.at(line - 1).trimmed().isEmpty() &&
               !lines.at(line - 1).trimmed().isEmpty())
            ++line;
        found.insert(line);
    }
    return found;
}

} // namespace

bool isWithoutChips(const QString &path) {
    static const QRegularExpression source("^agent/playbook/.*\\.(h|cpp)$");
    return source.match(path).hasMatch() && !path.startsWith("agent/playbook/target/");
}

QVector<GuardFault> chipFaults(const QVector<GuardFile> &files) {
    static const QString why =
        " is a figure of one chip: a row of resources/playbook/devices has it, and who decides "
        "asks deviceOf()";
    static const QRegularExpression constant("\\bconst(?:expr|init)?\\b[^=;(]*\\b(\\w+)(?: *=|\\{)[^;]*\\d");
    QMap<QString, GuardFault> faults;
    for (const GuardFile &file : files) {
        const auto add = [&](int line, const QString &name, const QString &what) {
            GuardFault &fault = faults[file.path + ' ' + name];
            if (fault.sizes.isEmpty())
                fault = {file.path + ' ' + name,
                         {0},
                         QString("%1:%2: %3%4").arg(file.path).arg(line).arg(what, why)};
            ++fault.sizes.first();
        };
        const QVector<CodePiece> pieces = codePieces(file.lines);
        QVector<QPair<int, QString>> code = definitions(pieces);
        const QStringList lines = codeText(file.lines).split('\n');
        const QSet<int> ofChips = linesOfChips(pieces, file.lines, lines);
        for (qsizetype at = 0; at < lines.size(); ++at)
            code.append({int(at) + 1, lines.at(at)});
        for (const auto &[line, text] : code) {
            const QStringList figures = figuresIn(text);
            for (const QString &figure : figures)
                add(line, "figures", figure);
            if (const auto match = constant.match(text);
                figures.isEmpty() && ofChips.contains(line) && match.hasMatch())
                add(line, match.captured(1), match.captured(1) + ", as its comment says,");
        }
    }
    return faults.values();
}

} // namespace warpwright
