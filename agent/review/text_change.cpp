// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/text_change.h"

#include "toolchain/text/line_diff.h"

#include <algorithm>

namespace warpwright {
namespace {

using Lines = std::vector<QByteArray>;
using Runs = std::vector<ReplacedLines>;

Lines slice(const Lines &lines, int start, int count) {
    const auto begin = lines.begin() + start;
    return {begin, begin + count};
}

/// Runs that leave nothing but equal bytes between them: git's comparison does not see a last end of line.
Runs exactRuns(const QByteArray &before, const QByteArray &after, const Lines &left, const Lines &right) {
    const int leftCount = static_cast<int>(left.size());
    const int rightCount = static_cast<int>(right.size());
    Runs runs;
    const auto add = [&runs](int oldStart, int oldCount, int newStart, int newCount) {
        if (!runs.empty() && runs.back().oldStart + runs.back().oldCount == oldStart &&
            runs.back().newStart + runs.back().newCount == newStart) {
            runs.back().oldCount += oldCount;
            runs.back().newCount += newCount;
        } else {
            runs.push_back({oldStart, oldCount, newStart, newCount});
        }
    };
    int leftAt = 0;
    int rightAt = 0;
    const auto addPairs = [&](int until) {
        for (; leftAt < until && rightAt < rightCount; ++leftAt, ++rightAt)
            if (left[static_cast<std::size_t>(leftAt)] != right[static_cast<std::size_t>(rightAt)])
                add(leftAt, 1, rightAt, 1);
    };
    for (const ReplacedLines &run : replacedLines(before, after)) {
        addPairs(run.oldStart);
        add(run.oldStart, run.oldCount, run.newStart, run.newCount);
        leftAt = run.oldStart + run.oldCount;
        rightAt = run.newStart + run.newCount;
    }
    addPairs(leftCount);
    // Where the comparison gave up (a file too large for it), all of it is one change.
    if (leftAt != leftCount || rightAt != rightCount)
        return {{0, leftCount, 0, rightCount}};
    return runs;
}

void addHunks(std::vector<LineChange> &hunks, const QString &file, const QByteArray &before,
              const QByteArray &after) {
    const Lines left = linesOf(before);
    const Lines right = linesOf(after);
    for (const ReplacedLines &run : exactRuns(before, after, left, right))
        hunks.push_back({file, run.oldStart, slice(left, run.oldStart, run.oldCount),
                         slice(right, run.newStart, run.newCount), true, true});
}

bool rename(CandidateTexts &texts, const RenamedFile &renamed) {
    const auto from = texts.find(renamed.from);
    if (from == texts.end() || texts.count(renamed.to) > 0)
        return false;
    QByteArray text = from->second;
    texts.erase(from);
    texts.emplace(renamed.to, std::move(text));
    return true;
}

QString doesNotFit(const QString &file, const QString &why) {
    return QStringLiteral("The change does not fit \"%1\": %2.").arg(file, why);
}

Result<QByteArray> applyHunks(const QString &file, const std::vector<const LineChange *> &hunks,
                              const QByteArray &before) {
    using Answer = Result<QByteArray>;
    const Lines lines = linesOf(before);
    QByteArray after;
    int at = 0;
    for (const LineChange *hunk : hunks) {
        const int count = static_cast<int>(hunk->oldLines.size());
        if (hunk->oldStart < at || hunk->oldStart > static_cast<int>(lines.size()) - count ||
            slice(lines, hunk->oldStart, count) != hunk->oldLines)
            return Answer::error(
                doesNotFit(file, QStringLiteral("other lines stand at line %1").arg(hunk->oldStart + 1)));
        for (; at < hunk->oldStart; ++at)
            after += lines[static_cast<std::size_t>(at)];
        for (const QByteArray &line : hunk->newLines)
            after += line;
        at += count;
    }
    for (; at < static_cast<int>(lines.size()); ++at)
        after += lines[static_cast<std::size_t>(at)];
    return Answer::ok(std::move(after));
}

} // namespace

TextChange textChange(const CandidateTexts &before, const CandidateTexts &after,
                      const std::vector<RenamedFile> &renames) {
    TextChange change;
    change.baseHash = textHashOf(before);
    change.resultHash = textHashOf(after);
    CandidateTexts base = before;
    for (const RenamedFile &renamed : renames)
        if (after.count(renamed.from) == 0 && after.count(renamed.to) > 0 && rename(base, renamed))
            change.renames.push_back(renamed);
    for (const auto &[file, text] : base)
        if (after.count(file) == 0)
            change.hunks.push_back({file, 0, linesOf(text), {}, true, false});
    for (const auto &[file, text] : after) {
        const auto old = base.find(file);
        if (old == base.end())
            change.hunks.push_back({file, 0, {}, linesOf(text), false, true});
        else if (old->second != text)
            addHunks(change.hunks, file, old->second, text);
    }
    std::stable_sort(change.hunks.begin(), change.hunks.end(),
                     [](const LineChange &one, const LineChange &other) { return one.file < other.file; });
    return change;
}

Result<CandidateTexts> applyChange(const TextChange &change, const CandidateTexts &base) {
    using Answer = Result<CandidateTexts>;
    if (!change.baseHash.isEmpty() && textHashOf(base) != change.baseHash)
        return Answer::error(
            QStringLiteral("The change belongs to another text: to the one with the hash %1, "
                           "and this one has %2.")
                .arg(change.baseHash.left(12), textHashOf(base).left(12)));
    CandidateTexts texts = base;
    for (const RenamedFile &renamed : change.renames)
        if (!rename(texts, renamed))
            return Answer::error(
                doesNotFit(renamed.from, QStringLiteral("it cannot be renamed to \"%1\"").arg(renamed.to)));
    std::map<QString, std::vector<const LineChange *>> byFile;
    for (const LineChange &hunk : change.hunks)
        byFile[hunk.file].push_back(&hunk);
    for (const auto &[file, hunks] : byFile) {
        const LineChange &first = *hunks.front();
        if (first.hadFile != (texts.count(file) > 0))
            return Answer::error(doesNotFit(file, first.hadFile
                                                      ? QStringLiteral("there is no such file")
                                                      : QStringLiteral("the file is there already")));
        Result<QByteArray> text = applyHunks(file, hunks, first.hadFile ? texts[file] : QByteArray());
        if (!text.hasValue())
            return Answer::error(text.message());
        if (hunks.back()->hasFile)
            texts[file] = std::move(text).value();
        else if (text.value().isEmpty())
            texts.erase(file);
        else
            return Answer::error(doesNotFit(file, QStringLiteral("lines are left of a deleted file")));
    }
    if (!change.resultHash.isEmpty() && textHashOf(texts) != change.resultHash)
        return Answer::error(
            QStringLiteral("The changed text is not the recorded one: it has the hash %1, and "
                           "%2 is recorded.")
                .arg(textHashOf(texts).left(12), change.resultHash.left(12)));
    return Answer::ok(std::move(texts));
}

} // namespace warpwright
