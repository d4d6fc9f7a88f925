// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/ink.h"

#include <QStringList>

namespace warpwright {

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
    QString clean = text;
    for (QChar &character : clean) {
        if (character != QLatin1Char('\n') && character != QLatin1Char('\t') &&
            character.category() == QChar::Other_Control)
            character = QLatin1Char('?');
    }
    return clean;
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
