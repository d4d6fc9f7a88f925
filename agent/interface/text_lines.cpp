// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/interface/text_lines.h"

#include "toolchain/text/line_diff.h"

#include <QtGlobal>

namespace warpwright {
namespace {

/// Grows by `next` where that follows at once; false: there are equal lines between the two.
bool joins(ReplacedLines &last, const ReplacedLines &next) {
    if (last.oldStart + last.oldCount != next.oldStart || last.newStart + last.newCount != next.newStart)
        return false;
    last.oldCount += next.oldCount;
    last.newCount += next.newCount;
    return true;
}

} // namespace

TextLines linesOf(const QByteArray &text) {
    TextLines lines;
    for (qsizetype start = 0; start < text.size();) {
        const qsizetype end = text.indexOf('\n', start);
        const qsizetype next = end < 0 ? text.size() : end + 1;
        lines.push_back(text.mid(start, next - start));
        start = next;
    }
    return lines;
}

QByteArray joined(const TextLines &lines) {
    QByteArray text;
    for (const QByteArray &line : lines)
        text += line;
    return text;
}

std::vector<TextEdit> editsBetween(const TextLines &before, const TextLines &after) {
    std::vector<ReplacedLines> runs;
    const auto add = [&runs](const ReplacedLines &run) {
        if (runs.empty() || !joins(runs.back(), run))
            runs.push_back(run);
    };
    // The comparison takes a last line without its end for one with it: such pairs are no equals here.
    int oldLine = 0;
    int newLine = 0;
    const auto passEquals = [&](int count) {
        for (int i = 0; i < count; ++i, ++oldLine, ++newLine)
            if (before[static_cast<std::size_t>(oldLine)] != after[static_cast<std::size_t>(newLine)])
                add({oldLine, 1, newLine, 1});
    };
    for (const ReplacedLines &run : replacedLines(joined(before), joined(after))) {
        passEquals(run.oldStart - oldLine);
        add(run);
        oldLine += run.oldCount;
        newLine += run.newCount;
    }
    passEquals(static_cast<int>(before.size()) - oldLine);

    std::vector<TextEdit> edits;
    for (const ReplacedLines &run : runs)
        edits.push_back(
            {run.oldStart, run.oldCount,
             TextLines(after.begin() + run.newStart, after.begin() + run.newStart + run.newCount)});
    return edits;
}

void apply(TextLines &lines, const TextEdit &edit) {
    Q_ASSERT(edit.start >= 0 && edit.removed >= 0 &&
             edit.start + edit.removed <= static_cast<int>(lines.size()));
    const auto from = lines.erase(lines.begin() + edit.start, lines.begin() + edit.start + edit.removed);
    lines.insert(from, edit.inserted.begin(), edit.inserted.end());
}

} // namespace warpwright
