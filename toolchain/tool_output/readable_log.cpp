// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/readable_log.h"

#include "toolchain/tool_output/ptxas_report.h"

#include <QRegularExpression>
#include <QStringList>

namespace warpwright {
namespace {

constexpr int foldedFrom = 160; ///< characters: what is shorter fits into a line or two

QString foldedCommand(const QString &command) {
    const QStringList words = command.mid(2).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    static const QRegularExpression source(QStringLiteral("\\.(cu|cpp|cc|cxx|c|o)$"));
    QStringList files;
    for (qsizetype i = 1; i < words.size(); ++i)
        if (source.match(words[i]).hasMatch() && files.size() < 2)
            files << words[i].section(QLatin1Char('/'), -2);
    return QStringLiteral("$ %1 … %2 [%3 arguments]")
        .arg(words.value(0).section(QLatin1Char('/'), -1), files.join(QLatin1Char(' ')))
        .arg(words.size() - 1);
}

QString withNames(const QString &line) {
    static const QRegularExpression mangled(QStringLiteral("\\b_Z\\w+"));
    QString text;
    qsizetype done = 0;
    for (auto match = mangled.globalMatch(line); match.hasNext();) {
        const QRegularExpressionMatch name = match.next();
        text += line.mid(done, name.capturedStart() - done) + demangled(name.captured());
        done = name.capturedEnd();
    }
    return done == 0 ? line : text + line.mid(done);
}

} // namespace

QString readableLog(const QString &log, bool isWhole) {
    QStringList lines = log.split(QLatin1Char('\n'));
    for (QString &line : lines) {
        const bool isCommand = line.startsWith(QLatin1String("$ "));
        if (isCommand && !isWhole && line.size() >= foldedFrom)
            line = foldedCommand(line);
        else if (!isCommand && line.contains(QLatin1String("_Z")))
            line = withNames(line);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace warpwright
