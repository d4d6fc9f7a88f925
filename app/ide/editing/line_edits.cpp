// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/line_edits.h"

#include "toolchain/text/line_diff.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Each with its end.
std::vector<QStringView> linesOf(const QString &text) {
    std::vector<QStringView> lines;
    qsizetype start = 0;
    while (start < text.size()) {
        const qsizetype end = text.indexOf(u'\n', start);
        const qsizetype next = end < 0 ? text.size() : end + 1;
        lines.push_back(QStringView(text).sliced(start, next - start));
        start = next;
    }
    return lines;
}

QString joined(const std::vector<QStringView> &lines, std::size_t first, std::size_t count) {
    QString text;
    for (std::size_t i = first; i < first + count; ++i)
        text += lines[i];
    return text;
}

/// Everything from the first line that differs.
std::vector<LineEdit> replacedTail(const std::vector<QStringView> &before,
                                   const std::vector<QStringView> &after) {
    const auto first = static_cast<std::size_t>(
        std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first - before.begin());
    return {{static_cast<int>(first) + 1, static_cast<int>(before.size() - first) + 1,
             joined(after, first, after.size() - first)}};
}

} // namespace

QString withEdits(const QString &text, const std::vector<LineEdit> &edits) {
    const auto lines = linesOf(text);
    QString result;
    std::size_t next = 0;
    for (const LineEdit &edit : edits) {
        const std::size_t first = std::min(static_cast<std::size_t>(edit.line - 1), lines.size());
        result += joined(lines, next, first - next) + edit.text;
        next = std::min(first + static_cast<std::size_t>(edit.lines), lines.size());
    }
    return result + joined(lines, next, lines.size() - next);
}

std::vector<LineEdit> lineEdits(const QString &before, const QString &after) {
    if (before == after)
        return {};
    const auto oldLines = linesOf(before);
    const auto newLines = linesOf(after);
    // For Scintilla a lone CR ends a line, too: there our numbers would be wrong.
    if (before.contains(u'\r') || after.contains(u'\r'))
        return {{1, std::numeric_limits<int>::max() / 2, after}};
    std::vector<LineEdit> edits;
    for (const ReplacedLines &run : replacedLines(before.toUtf8(), after.toUtf8()))
        edits.push_back({run.oldStart + 1, run.oldCount,
                         joined(newLines, static_cast<std::size_t>(run.newStart),
                                static_cast<std::size_t>(run.newCount))});
    // The comparison does not see whether the last line has an end.
    if (before.endsWith(u'\n') != after.endsWith(u'\n') && withEdits(before, edits) != after &&
        !oldLines.empty() && !newLines.empty()) {
        const int last = static_cast<int>(oldLines.size());
        if (edits.empty() || edits.back().line + edits.back().lines <= last)
            edits.push_back({last, 1, newLines.back().toString()});
    }
    return withEdits(before, edits) == after ? edits : replacedTail(oldLines, newLines);
}

} // namespace warpwright
