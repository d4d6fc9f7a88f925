// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/text_comparison.h"

#include "toolchain/text/line_diff.h"
#include "toolchain/workspace/word_changes.h"

#include <algorithm>

namespace warpwright {
namespace {

using Kind = ComparedRow::Kind;

/// Beyond this many pairs of lines in one hunk, lines are not looked at for likeness.
constexpr int mostPairs = 10000;

bool isText(const QByteArray &bytes) {
    if (bytes.size() > largestComparedFile || bytes.contains('\0'))
        return false;
    for (qsizetype start = 0; start < bytes.size();) {
        qsizetype end = bytes.indexOf('\n', start);
        if (end < 0)
            end = bytes.size();
        if (end - start > longestComparedLine)
            return false;
        start = end + 1;
    }
    return true;
}

QByteArray withPlainEnds(QByteArray bytes) {
    bytes.replace("\r\n", "\n");
    if (!bytes.isEmpty() && !bytes.endsWith('\n'))
        bytes += '\n';
    return bytes;
}

QStringList linesOf(const QByteArray &text) {
    return text.isEmpty() ? QStringList() : QString::fromUtf8(text.chopped(1)).split(QLatin1Char('\n'));
}

/// Which line of the right side stands beside which of the left, in one hunk: the pairing with the greatest
/// likeness in sum that crosses nowhere. -1: beside none.
std::vector<int> pairLines(const QStringList &left, const QStringList &right) {
    const std::size_t rows = static_cast<std::size_t>(left.size());
    const std::size_t columns = static_cast<std::size_t>(right.size());
    std::vector<int> partner(rows, -1);
    if (rows * columns > static_cast<std::size_t>(mostPairs)) {
        for (std::size_t row = 0; row < std::min(rows, columns); ++row)
            partner[row] = static_cast<int>(row);
        return partner;
    }
    std::vector<QStringList> leftWords, rightWords;
    for (const QString &line : left)
        leftWords.push_back(sortedWords(line));
    for (const QString &line : right)
        rightWords.push_back(sortedWords(line));
    std::vector<double> best((rows + 1) * (columns + 1), 0);
    std::vector<double> gain(rows * columns, 0);
    const auto at = [columns](std::size_t row, std::size_t column) {
        return row * (columns + 1) + column;
    };
    for (std::size_t row = rows; row-- > 0;) {
        for (std::size_t column = columns; column-- > 0;) {
            const double alike = likeness(leftWords[row], rightWords[column]);
            // A lone line against a lone line is a change, however different: that is how people read it.
            const bool isOnly = rows == 1 && columns == 1;
            gain[row * columns + column] = alike >= 0.4 || isOnly ? std::max(alike, 0.01) : 0;
            best[at(row, column)] = std::max({best[at(row + 1, column)], best[at(row, column + 1)],
                                              best[at(row + 1, column + 1)] + gain[row * columns + column]});
        }
    }
    for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
        const double gained = gain[row * columns + column];
        if (gained > 0 && best[at(row, column)] <= best[at(row + 1, column + 1)] + gained)
            partner[row++] = static_cast<int>(column++);
        else if (best[at(row + 1, column)] >= best[at(row, column + 1)])
            ++row;
        else
            ++column;
    }
    return partner;
}

void addHunk(ComparedFile &file, const ReplacedLines &run, const QStringList &left,
             const QStringList &right) {
    const QStringList old = left.mid(run.oldStart, run.oldCount);
    const QStringList fresh = right.mid(run.newStart, run.newCount);
    const std::vector<int> partner = pairLines(old, fresh);
    const int firstRow = static_cast<int>(file.rows.size());
    int next = 0;
    const auto addFresh = [&](int until) {
        for (; next < until; ++next)
            file.rows.push_back({Kind::Added, 0, run.newStart + next + 1, {}, fresh[next], {}, {}});
    };
    for (int row = 0; row < run.oldCount; ++row) {
        const int other = partner[static_cast<std::size_t>(row)];
        if (other < 0) {
            file.rows.push_back({Kind::Removed, run.oldStart + row + 1, 0, old[row], {}, {}, {}});
            continue;
        }
        addFresh(other);
        ComparedRow pair{
            Kind::Changed, run.oldStart + row + 1, run.newStart + other + 1, old[row], fresh[other], {}, {}};
        markWords(pair);
        file.rows.push_back(std::move(pair));
        next = other + 1;
    }
    addFresh(run.newCount);
    const int count = static_cast<int>(file.rows.size()) - firstRow;
    file.hunks.push_back({firstRow, count});
    file.removed += run.oldCount;
    file.added += run.newCount;
    file.changedRows += count;
}

} // namespace

ComparedFile compareFile(const QString &path, const QByteArray &left, const QByteArray &right) {
    ComparedFile file;
    file.path = path;
    if (left == right)
        return file;
    if (!isText(left) || !isText(right)) {
        file.kind = ComparedFile::Kind::Binary;
        return file;
    }
    const QByteArray plainLeft = withPlainEnds(left);
    const QByteArray plainRight = withPlainEnds(right);
    file.kind = plainLeft == plainRight ? ComparedFile::Kind::LineEnds : ComparedFile::Kind::Changed;
    const QStringList leftLines = linesOf(plainLeft);
    const QStringList rightLines = linesOf(plainRight);
    int leftAt = 0;
    int rightAt = 0;
    const auto addSame = [&](int until) {
        for (; leftAt < until; ++leftAt, ++rightAt)
            file.rows.push_back(
                {Kind::Same, leftAt + 1, rightAt + 1, leftLines[leftAt], rightLines[rightAt], {}, {}});
    };
    for (const ReplacedLines &run : replacedLines(plainLeft, plainRight)) {
        addSame(run.oldStart);
        addHunk(file, run, leftLines, rightLines);
        leftAt = run.oldStart + run.oldCount;
        rightAt = run.newStart + run.newCount;
    }
    addSame(static_cast<int>(leftLines.size()));
    return file;
}

TextComparison compareTexts(const CandidateTexts &left, const CandidateTexts &right) {
    std::map<QString, bool> paths;
    for (const auto &[path, text] : left)
        paths.emplace(path, true);
    for (const auto &[path, text] : right)
        paths.emplace(path, true);
    TextComparison comparison;
    for (const auto &[path, _] : paths) {
        const auto before = left.find(path);
        const auto after = right.find(path);
        ComparedFile file = compareFile(path, before == left.end() ? QByteArray() : before->second,
                                        after == right.end() ? QByteArray() : after->second);
        if (before == left.end())
            file.kind = ComparedFile::Kind::Added;
        else if (after == right.end())
            file.kind = ComparedFile::Kind::Removed;
        comparison.files.push_back(std::move(file));
    }
    return comparison;
}

bool TextComparison::isSame() const {
    return std::all_of(files.begin(), files.end(),
                       [](const ComparedFile &file) { return file.kind == ComparedFile::Kind::Same; });
}

std::vector<ComparedFile> TextComparison::differing() const {
    std::vector<ComparedFile> some;
    std::copy_if(files.begin(), files.end(), std::back_inserter(some),
                 [](const ComparedFile &file) { return file.kind != ComparedFile::Kind::Same; });
    return some;
}

QString changeNote(const TextComparison &comparison) {
    const std::vector<ComparedFile> files = comparison.differing();
    if (files.empty())
        return {};
    int lines = 0;
    QStringList added;
    QStringList removed;
    QStringList changed;
    for (const ComparedFile &file : files) {
        if (file.kind == ComparedFile::Kind::Added) {
            added << file.path;
        } else if (file.kind == ComparedFile::Kind::Removed) {
            removed << file.path;
        } else {
            changed << file.path;
            lines += std::max(file.added, file.removed);
        }
    }
    const auto named = [](const QStringList &paths) {
        return paths.size() <= 2 ? paths.join(QStringLiteral(", "))
                                 : QStringLiteral("%1 files").arg(paths.size());
    };
    QStringList parts;
    if (!changed.isEmpty())
        parts << (lines == 0   ? named(changed)
                  : lines == 1 ? QStringLiteral("1 line in %1").arg(named(changed))
                               : QStringLiteral("%1 lines in %2").arg(lines).arg(named(changed)));
    if (!added.isEmpty())
        parts << QStringLiteral("new %1").arg(named(added));
    if (!removed.isEmpty())
        parts << QStringLiteral("without %1").arg(named(removed));
    return parts.join(QStringLiteral("; "));
}

} // namespace warpwright
