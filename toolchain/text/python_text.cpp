// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/python_text.h"

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

int lineAt(const QString &code, qsizetype place) {
    return static_cast<int>(QStringView(code).left(place).count(QLatin1Char('\n'))) + 1;
}

/// Whether all that the line at `place` is indented below are branches: if, try, with …
bool isInBranch(const QString &code, qsizetype place, qsizetype indent) {
    static const QRegularExpression branch(
        QStringLiteral("^(?:if|elif|else|try|except|finally|with|for|while|match|case)\\b"));
    const QStringList lines = code.left(place).split(QLatin1Char('\n'));
    for (qsizetype i = lines.size() - 2; i >= 0 && indent > 0; --i) {
        const QString line = lines[i].trimmed();
        const qsizetype own = line.isEmpty() ? indent : lines[i].indexOf(line.front());
        if (own >= indent)
            continue;
        if (!branch.match(line).hasMatch())
            return false;
        indent = own;
    }
    return true;
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
    const QRegularExpression form(
        QStringLiteral("^([ \\t]*)(?:(?:class|def)\\s+%1\\b|%1\\s*[:=])|\\bimport\\b.*\\b%1\\b").arg(own),
        QRegularExpression::MultilineOption);
    for (auto found = form.globalMatch(code); found.hasNext();)
        if (const auto match = found.next();
            match.capturedLength(1) == 0 || isInBranch(code, match.capturedStart(), match.capturedLength(1)))
            return true;
    return false;
}

std::vector<PythonText::Definition> PythonText::definitions() const {
    static const QRegularExpression form(
        QStringLiteral("^(?:async[ \\t]+)?(class|def)\\s+(\\w+)\\s*(?:\\(([^)]*)\\))?"),
        QRegularExpression::MultilineOption);
    std::vector<Definition> found;
    for (auto matches = form.globalMatch(code); matches.hasNext();) {
        const auto match = matches.next();
        found.push_back({match.captured(1) == QLatin1String("class"), match.captured(2),
                         match.captured(3).simplified(), lineAt(code, match.capturedStart())});
    }
    return found;
}

int PythonText::lineOf(const QString &expression) const {
    const auto match = QRegularExpression(expression, QRegularExpression::MultilineOption).match(code);
    return match.hasMatch() ? lineAt(code, match.capturedStart()) : 0;
}

} // namespace warpwright
