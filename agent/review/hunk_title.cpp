// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/hunk_title.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype longestLine = 48; ///< letters of the line behind the name

int indentOf(const QByteArray &line) {
    int indent = 0;
    while (indent < line.size() && (line[indent] == ' ' || line[indent] == '\t'))
        ++indent;
    return indent;
}

bool isBlank(const QByteArray &line) {
    return line.trimmed().isEmpty();
}

bool isComment(const QByteArray &line) {
    const QByteArray text = line.trimmed();
    // "#include" and "#pragma" are none, "# as in Python" is one.
    return text.startsWith("//") || text.startsWith("/*") || text.startsWith("*/") || text == "*" ||
           text.startsWith("* ") || text == "#" || text.startsWith("# ") || text.startsWith("\"\"\"") ||
           text.startsWith("'''");
}

/// The lines of one side that are not on the other, without blank ones.
TextLines changedLines(const TextLines &lines, const TextLines &others) {
    TextLines changed;
    for (const QByteArray &line : lines)
        if (!isBlank(line) && std::find(others.begin(), others.end(), line) == others.end())
            changed.push_back(line);
    return changed;
}

/// The first that is code and more than a brace.
QString codeIn(const TextLines &lines) {
    for (const QByteArray &line : lines)
        if (const QString text = QString::fromUtf8(line).simplified(); text.size() > 2 && !isComment(line))
            return text.size() > longestLine ? text.left(longestLine - 1) + QChar(0x2026) : text;
    return {};
}

/// Of lines that change and are no code that says much: a brace, a comment, or the same lines in another
/// number or order.
QString wordsOfRest(const TextLines &changed, const TextLines &oldLines, const TextLines &newLines) {
    for (const QByteArray &line : changed)
        if (!isComment(line))
            return QString::fromUtf8(line).simplified();
    if (!changed.empty())
        return QStringLiteral("comment");
    TextLines before = oldLines, after = newLines;
    for (TextLines *side : {&before, &after})
        side->erase(std::remove_if(side->begin(), side->end(), isBlank), side->end());
    if (before == after)
        return QStringLiteral("blank lines");
    const QString code = codeIn(before.size() > after.size() ? before : after);
    return code.isEmpty()                 ? QStringLiteral("comment")
           : before.size() > after.size() ? QStringLiteral("without ") + code
                                          : code;
}

/// The function that the lines below `above` stand in, of which the first is indented by `indent`.
QString nameAround(const TextLines &above, int indent) {
    for (auto line = above.rbegin(); line != above.rend() && indent > 0; ++line) {
        if (isBlank(*line) || indentOf(*line) >= indent)
            continue;
        if (line->startsWith('}'))
            return {}; // the end of another one
        if (const QString name = definedName(*line); !name.isEmpty())
            return name;
        indent = std::max(indentOf(*line), 1);
    }
    return {};
}

} // namespace

QString definedName(const QByteArray &line) {
    static const QRegularExpression python(QStringLiteral("^\\s*(?:async\\s+)?(?:def|class)\\s+(\\w+)"));
    static const QRegularExpression attribute(QStringLiteral("__\\w+__\\s*\\([^)]*\\)"));
    static const QRegularExpression function(
        QStringLiteral("^\\s*((?:[\\w:<>,\\[\\]\"]+[\\s*&]+)+)([A-Za-z_]\\w*)\\s*\\("));
    static const QSet<QString> statements{QStringLiteral("return"), QStringLiteral("throw"),
                                          QStringLiteral("else"),   QStringLiteral("case"),
                                          QStringLiteral("new"),    QStringLiteral("using"),
                                          QStringLiteral("delete"), QStringLiteral("co_return")};
    static const QSet<QString> noNames{QStringLiteral("if"),     QStringLiteral("for"),
                                       QStringLiteral("while"),  QStringLiteral("switch"),
                                       QStringLiteral("sizeof"), QStringLiteral("catch")};
    const QString text = QString::fromUtf8(line).remove(attribute);
    if (isComment(line) || text.trimmed().endsWith(u';'))
        return {};
    if (const QRegularExpressionMatch found = python.match(text); found.hasMatch())
        return found.captured(1);
    const QRegularExpressionMatch found = function.match(text);
    if (!found.hasMatch() || noNames.contains(found.captured(2)) ||
        statements.contains(found.captured(1).simplified().section(u' ', 0, 0)))
        return {};
    return found.captured(2);
}

QString hunkTitle(const TextLines &above, const TextLines &oldLines, const TextLines &newLines) {
    const TextLines come = changedLines(newLines, oldLines);
    const TextLines go = changedLines(oldLines, newLines);
    const TextLines &changed = codeIn(come).isEmpty() && !codeIn(go).isEmpty() ? go : come;
    QString name;
    for (const QByteArray &line : changed)
        if (name = definedName(line); !name.isEmpty())
            break;
    const bool isOfWhole = !name.isEmpty();
    if (name.isEmpty() && !changed.empty()) {
        TextLines before = above;
        // Lines of the hunk that stay above those that change belong to what is above, too.
        const TextLines &side = &changed == &go ? oldLines : newLines;
        before.insert(before.end(), side.begin(), std::find(side.begin(), side.end(), changed.front()));
        name = nameAround(before, indentOf(changed.front()));
    }
    const QString code = codeIn(changed);
    if (isOfWhole)
        return name;
    const QString words = code.isEmpty()    ? wordsOfRest(changed, oldLines, newLines)
                          : &changed == &go ? QStringLiteral("without ") + code
                                            : code;
    return name.isEmpty() ? words : QStringLiteral("%1: %2").arg(name, words);
}

QString titleOfNewFile(const QString &path) {
    return QStringLiteral("new file ") + path.section(QLatin1Char('/'), -1);
}

QString titleOfDeletedFile(const QString &path) {
    return QStringLiteral("delete ") + path.section(QLatin1Char('/'), -1);
}

} // namespace warpwright
