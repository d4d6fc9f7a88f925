// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/python_text.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

QStringList importsOf(const QString &code) {
    static const QRegularExpression from(
        QStringLiteral(
            "(?:^|[;:])[ \\t]*from[ \\t]+\\.*([\\w.]*)[ \\t]+import[ \\t]*(?:\\(([^)]*)\\)|([^\\n;]*))"),
        QRegularExpression::MultilineOption);
    static const QRegularExpression plain(QStringLiteral("(?:^|[;:])[ \\t]*import[ \\t]+([\\w. \\t,]+)"),
                                          QRegularExpression::MultilineOption);
    QStringList imports;
    const auto add = [&imports](const QString &names) {
        for (const QString &name : names.split(QLatin1Char(','))) {
            const QString module = name.simplified().section(QLatin1Char(' '), 0, 0);
            if (!module.isEmpty())
                imports << module;
        }
    };
    for (auto found = from.globalMatch(code); found.hasNext();) {
        const auto match = found.next();
        // What is imported from a package may be a module of it.
        if (match.captured(1).isEmpty())
            add(match.captured(2) + match.captured(3));
        else
            imports << match.captured(1);
    }
    for (auto found = plain.globalMatch(code); found.hasNext();)
        add(found.next().captured(1));
    imports.removeDuplicates();
    return imports;
}

} // namespace

PythonText readPythonText(const QByteArray &bytes) {
    const QString text = QString::fromUtf8(bytes);
    PythonText read;
    read.code.reserve(text.size());
    const auto blank = [&read](QStringView part) {
        for (const QChar c : part)
            read.code += c == QLatin1Char('\n') ? c : QLatin1Char(' ');
    };
    for (qsizetype i = 0; i < text.size();) {
        const QStringView rest = QStringView(text).mid(i);
        if (rest[0] == QLatin1Char('#')) {
            const qsizetype end = rest.indexOf(QLatin1Char('\n'));
            blank(end < 0 ? rest : rest.left(end));
            i += end < 0 ? rest.size() : end;
        } else if (rest[0] == QLatin1Char('"') || rest[0] == QLatin1Char('\'')) {
            const QString triple(3, rest[0]);
            const bool isLong = rest.startsWith(triple);
            const QString quote = isLong ? triple : QString(rest[0]);
            qsizetype end = quote.size();
            while (end < rest.size() && !rest.mid(end).startsWith(quote) &&
                   (isLong || rest[end] != QLatin1Char('\n')))
                end += rest[end] == QLatin1Char('\\') ? 2 : 1;
            end = std::min(end, rest.size());
            read.strings << rest.mid(quote.size(), end - quote.size()).toString();
            end = std::min(end + quote.size(), rest.size());
            blank(rest.left(end));
            i += end;
        } else {
            read.code += rest[0];
            ++i;
        }
    }
    read.imports = importsOf(read.code);
    return read;
}

bool PythonText::defines(const QString &name) const {
    const QString own = QRegularExpression::escape(name);
    return lineOf(QStringLiteral("^(?:class|def)\\s+%1\\b|^%1\\s*[:=]|\\bimport\\b.*\\b%1\\b").arg(own)) > 0;
}

int PythonText::lineOf(const QString &expression) const {
    const auto match = QRegularExpression(expression, QRegularExpression::MultilineOption).match(code);
    return match.hasMatch()
               ? static_cast<int>(QStringView(code).left(match.capturedStart()).count(QLatin1Char('\n'))) + 1
               : 0;
}

} // namespace warpwright
