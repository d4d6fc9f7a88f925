// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/word_changes.h"

#include "toolchain/text/line_diff.h"

#include <algorithm>

namespace warpwright {
namespace {

bool isWordPart(QChar letter) {
    return letter.isLetterOrNumber() || letter == QLatin1Char('_');
}

/// Names, numbers, runs of space, and each other sign for itself.
std::vector<TextSpan> tokensOf(const QString &line) {
    std::vector<TextSpan> tokens;
    const auto size = static_cast<int>(line.size());
    for (int at = 0; at < size;) {
        const int start = at++;
        if (isWordPart(line[start]))
            while (at < size && isWordPart(line[at]))
                ++at;
        else if (line[start].isSpace())
            while (at < size && line[at].isSpace())
                ++at;
        else if (line[start].isHighSurrogate() && at < size)
            ++at;
        tokens.push_back({start, at - start});
    }
    return tokens;
}

QByteArray aTokenALine(const QString &line, const std::vector<TextSpan> &tokens) {
    QByteArray text;
    for (const TextSpan &token : tokens)
        text += line.mid(token.start, token.length).toUtf8() + '\n';
    return text;
}

void addSpan(std::vector<TextSpan> &spans, const std::vector<TextSpan> &tokens, int first, int count) {
    if (count == 0)
        return;
    const TextSpan &begin = tokens[static_cast<std::size_t>(first)];
    const TextSpan &end = tokens[static_cast<std::size_t>(first + count - 1)];
    spans.push_back({begin.start, end.start + end.length - begin.start});
}

} // namespace

QStringList sortedWords(const QString &line) {
    QStringList words;
    for (const TextSpan &token : tokensOf(line))
        if (!line[token.start].isSpace())
            words << line.mid(token.start, token.length);
    std::sort(words.begin(), words.end());
    return words;
}

double likeness(const QStringList &left, const QStringList &right) {
    qsizetype common = 0;
    for (qsizetype l = 0, r = 0; l < left.size() && r < right.size();) {
        const int order = left[l].compare(right[r]);
        common += order == 0 ? 1 : 0;
        l += order <= 0 ? 1 : 0;
        r += order >= 0 ? 1 : 0;
    }
    const qsizetype all = left.size() + right.size();
    return all == 0 ? 1 : 2 * static_cast<double>(common) / static_cast<double>(all);
}

double likeness(const QString &left, const QString &right) {
    return likeness(sortedWords(left), sortedWords(right));
}

void markWords(ComparedRow &row) {
    if (likeness(row.left, row.right) < 0.3)
        return;
    const std::vector<TextSpan> left = tokensOf(row.left);
    const std::vector<TextSpan> right = tokensOf(row.right);
    for (const ReplacedLines &run :
         replacedLines(aTokenALine(row.left, left), aTokenALine(row.right, right))) {
        addSpan(row.leftChanges, left, run.oldStart, run.oldCount);
        addSpan(row.rightChanges, right, run.newStart, run.newCount);
    }
}

} // namespace warpwright
