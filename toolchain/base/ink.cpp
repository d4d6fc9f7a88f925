// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/ink.h"

#include <QStringList>

namespace warpwright {
namespace {

/// Unicode's «format» letters are not seen, and turn the order of those behind them about, or hide some.
bool isMisleading(char32_t letter, char32_t before) {
    constexpr char32_t nonJoiner = 0x200c;
    constexpr char32_t joiner = 0x200d;
    if (letter == U'\n' || letter == U'\t')
        return false;
    if (letter == nonJoiner || letter == joiner) // Persian words, and pictures made of several
        return before < 0x80;
    switch (QChar::category(letter)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

} // namespace

QString inked(const Terminal &terminal, Ink ink, const QString &text) {
    const char *code = nullptr;
    switch (ink) {
    case Ink::Plain:
        break;
    case Ink::Good:
        code = "1;32";
        break;
    case Ink::Bad:
        code = "1;31";
        break;
    case Ink::Unsure:
        code = "1;33";
        break;
    case Ink::Faint:
        code = "2";
        break;
    case Ink::Strong:
        code = "1";
        break;
    }
    if (code == nullptr || !terminal.hasColours || text.isEmpty())
        return text;
    return QStringLiteral("\x1b[%1m%2\x1b[0m").arg(QLatin1String(code), text);
}

Ink inkOf(Verdict verdict) {
    switch (exitCodeFor(verdict)) {
    case 0:
        return Ink::Good;
    case 4:
    case 130:
        return Ink::Unsure;
    default:
        return Ink::Bad;
    }
}

Ink inkOf(StageStatus status) {
    switch (status) {
    case StageStatus::Passed:
        return Ink::Good;
    case StageStatus::Failed:
        return Ink::Bad;
    case StageStatus::Undecided:
    case StageStatus::NotRun:
    case StageStatus::Cancelled:
        break;
    }
    return Ink::Unsure;
}

QString printable(const QString &text) {
    QString clean;
    clean.reserve(text.size());
    char32_t before = 0;
    for (qsizetype at = 0, next = 0; at < text.size(); at = next) {
        const bool isPair =
            text.at(at).isHighSurrogate() && at + 1 < text.size() && text.at(at + 1).isLowSurrogate();
        next = at + (isPair ? 2 : 1);
        const char32_t letter =
            isPair ? QChar::surrogateToUcs4(text.at(at), text.at(at + 1)) : char32_t(text.at(at).unicode());
        if (isMisleading(letter, before))
            clean += QLatin1Char('?');
        else
            clean += QStringView(text).mid(at, next - at);
        before = letter;
    }
    return clean;
}

QString printableLine(QString text) {
    for (QChar &character : text)
        if (character == QLatin1Char('\n') || character == QLatin1Char('\r') ||
            character == QLatin1Char('\t'))
            character = QLatin1Char(' ');
    return printable(text);
}

QString wrapped(const QString &text, int columns, int indent) {
    const QString margin(indent, QLatin1Char(' '));
    QStringList lines;
    for (const QString &paragraph : text.split(QLatin1Char('\n'))) {
        QString line;
        for (const QString &word : paragraph.split(QLatin1Char(' '))) {
            if (!line.isEmpty() && indent + line.size() + 1 + word.size() > columns) {
                lines.append(line);
                line = word;
            } else {
                line += line.isEmpty() ? word : QLatin1Char(' ') + word;
            }
        }
        lines.append(line);
    }
    return lines.join(QLatin1Char('\n') + margin);
}

} // namespace warpwright
