// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/piece_edit.h"

#include <QSet>
#include <QStringList>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype mostShown = 8;
constexpr qsizetype linesAround = 2;
constexpr qsizetype longestShown = 200;

qsizetype lineAt(const QString &text, qsizetype place) {
    return QStringView(text).left(place).count(QLatin1Char('\n')) + 1;
}

QString shownLine(qsizetype number, const QString &line) {
    return QStringLiteral("  %1\t%2\n").arg(number).arg(line.left(longestShown));
}

std::vector<qsizetype> placesOf(const QString &text, const QString &piece) {
    std::vector<qsizetype> places;
    for (qsizetype at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.size()))
        places.push_back(at);
    return places;
}

QSet<QString> wordsOf(const QString &line) {
    QSet<QString> words;
    QString word;
    for (const QChar letter : line + QLatin1Char(' ')) {
        if (letter.isLetterOrNumber() || letter == QLatin1Char('_')) {
            word += letter;
            continue;
        }
        if (!word.isEmpty())
            words << word;
        word.clear();
        if (!letter.isSpace())
            words << QString(letter);
    }
    return words;
}

/// How much of two lines is the same, from 0 to 1: words in any order, without white space.
double likeness(const QSet<QString> &one, const QSet<QString> &other) {
    if (one.isEmpty() || other.isEmpty())
        return 0;
    QSet<QString> both = one;
    both.intersect(other);
    return 2.0 * static_cast<double>(both.size()) / static_cast<double>(one.size() + other.size());
}

QString nearestLines(const QString &text, const QString &piece) {
    QString wanted;
    for (const QString &line : piece.split(QLatin1Char('\n')))
        if (wordsOf(line).size() > wordsOf(wanted).size())
            wanted = line;
    const QSet<QString> words = wordsOf(wanted);
    std::vector<std::pair<double, qsizetype>> ranked;
    const QStringList lines = text.split(QLatin1Char('\n'));
    for (qsizetype at = 0; at < lines.size(); ++at)
        if (const double like = likeness(words, wordsOf(lines[at])); like >= 0.5)
            ranked.emplace_back(-like, at);
    std::stable_sort(ranked.begin(), ranked.end());
    ranked.resize(std::min<std::size_t>(ranked.size(), 3));
    if (ranked.empty())
        return QStringLiteral("No line of the file is like it: read it again.");
    QString shown = QStringLiteral("The nearest lines are:\n");
    for (const auto &[like, at] : ranked)
        shown += shownLine(at + 1, lines[at]);
    return shown.trimmed();
}

QString whyNotThere(const QString &text, const QString &piece) {
    if (text.contains(QLatin1String("\r\n")) && !piece.contains(QLatin1String("\r\n")) &&
        QString(text).remove(QLatin1Char('\r')).contains(piece))
        return QStringLiteral("The lines of the file end in CR LF: give single lines.");
    return nearestLines(text, piece);
}

QString whyNot(const QString &text, const PieceEdit &edit, const std::vector<qsizetype> &places) {
    if (edit.oldText.isEmpty())
        return QStringLiteral("`old` is empty. To make a file, use write.");
    if (edit.oldText == edit.newText)
        return QStringLiteral("`old` and `new` are the same.");
    if (places.empty())
        return QStringLiteral("`old` stands there 0 times. %1").arg(whyNotThere(text, edit.oldText));
    if (places.size() == 1 || edit.isForAll)
        return {};
    QStringList lines;
    for (std::size_t at = 0; at < places.size() && lines.size() < mostShown; ++at)
        lines << QString::number(lineAt(text, places[at]));
    return QStringLiteral(
               "`old` stands there %1 times, from lines %2%3 on. Give more of the lines around it, "
               "or \"all\": true.")
        .arg(places.size())
        .arg(lines.join(QStringLiteral(", ")),
             places.size() > static_cast<std::size_t>(mostShown) ? QStringLiteral(", …") : QString());
}

/// Lines of the text from `first` to `last`, and some around.
QString around(const QString &text, qsizetype first, qsizetype last) {
    const QStringList lines = text.split(QLatin1Char('\n'));
    QString shown;
    const qsizetype end = std::min(last + linesAround, lines.size());
    for (qsizetype line = std::max<qsizetype>(first - linesAround, 1); line <= end; ++line)
        shown += shownLine(line, lines[line - 1]);
    return shown;
}

} // namespace

Result<EditedText> applyEdits(const QString &text, const std::vector<PieceEdit> &edits) {
    EditedText edited{text, 0, {}};
    std::vector<std::pair<QString, qsizetype>> changed; // what was put in, and its first line then
    for (std::size_t number = 0; number < edits.size(); ++number) {
        const PieceEdit &edit = edits[number];
        const std::vector<qsizetype> places =
            edit.oldText.isEmpty() ? std::vector<qsizetype>() : placesOf(edited.text, edit.oldText);
        if (const QString why = whyNot(edited.text, edit, places); !why.isEmpty())
            return Result<EditedText>::error(
                QStringLiteral("edit %1 of %2: %3").arg(number + 1).arg(edits.size()).arg(why));
        edited.text.replace(edit.oldText, edit.newText);
        edited.places += static_cast<int>(places.size());
        changed.emplace_back(edit.newText, lineAt(edited.text, places.front()));
    }
    for (std::size_t at = 0; at < changed.size() && at < static_cast<std::size_t>(mostShown); ++at) {
        const auto &[piece, line] = changed[at];
        if (at > 0)
            edited.around += QStringLiteral("  …\n");
        edited.around +=
            around(edited.text, line, line + std::min<qsizetype>(piece.count(QLatin1Char('\n')), 40));
    }
    return Result<EditedText>::ok(std::move(edited));
}

} // namespace warpwright
