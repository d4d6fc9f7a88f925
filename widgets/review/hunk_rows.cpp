// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/review/hunk_rows.h"

#include <algorithm>

namespace warpwright {
namespace {

std::vector<ShownHunk::Piece> piecesOf(const ShownHunk &hunk) {
    if (!hunk.pieces.empty())
        return hunk.pieces;
    if (hunk.isPast() && hunk.stands())
        return {{0, static_cast<int>(hunk.goneLines.size()), 0, hunk.oldCount}};
    return {{0, hunk.oldCount, 0, static_cast<int>(hunk.newLines.size())}};
}

void addRows(std::vector<HunkRow> &rows, HunkRow::Kind kind, int hunk, int from, int count) {
    for (int line = from; line < from + count; ++line)
        rows.push_back({kind, hunk, line, 0});
}

} // namespace

std::map<int, std::vector<HunkRow>> hunkRows(const std::vector<ShownHunk> &hunks,
                                             const std::vector<HunkFolds::Stretch> &hidden,
                                             bool isEmptyDocument) {
    std::map<int, std::vector<HunkRow>> rows;
    // Before the heads: a stretch that ends where a hunk begins stands above it.
    for (const HunkFolds::Stretch &stretch : hidden)
        rows[stretch.first - 1].push_back({HunkRow::Hidden, -1, stretch.first, stretch.count()});
    const int least = isEmptyDocument ? 0 : -1;
    for (std::size_t i = 0; i < hunks.size(); ++i) {
        const ShownHunk &hunk = hunks[i];
        const int at = static_cast<int>(i);
        const int first = hunk.line - 1;
        auto &above = rows[std::max(least, first - 1)];
        above.push_back({HunkRow::Head, at, 0, 0});
        above.push_back({HunkRow::HeadRest, at, 0, 0});
        if (hunk.isPast() && hunk.stands()) {
            if (hunk.state == ShownHunk::Edited)
                addRows(above, HunkRow::Refused, at, 0, static_cast<int>(hunk.newLines.size()));
            for (const ShownHunk::Piece &piece : piecesOf(hunk))
                addRows(rows[std::max(least, first + piece.newStart - 1)], HunkRow::Gone, at, piece.oldStart,
                        piece.oldCount);
            continue;
        }
        if (!hunk.isLeft() && !hunk.isPast())
            continue;
        const HunkRow::Kind kind = hunk.isLeft() ? HunkRow::Added : HunkRow::Refused;
        for (const ShownHunk::Piece &piece : piecesOf(hunk))
            addRows(rows[std::max(least, first + piece.oldStart + piece.oldCount - 1)], kind, at,
                    piece.newStart, piece.newCount);
    }
    return rows;
}

std::vector<int> removedLines(const ShownHunk &hunk) {
    std::vector<int> lines;
    if (!hunk.isLeft())
        return lines;
    for (const ShownHunk::Piece &piece : piecesOf(hunk))
        for (int line = 0; line < piece.oldCount; ++line)
            lines.push_back(hunk.line - 1 + piece.oldStart + line);
    return lines;
}

std::vector<int> cameLines(const ShownHunk &hunk) {
    std::vector<int> lines;
    if (!hunk.isPast() || !hunk.stands())
        return lines;
    for (const ShownHunk::Piece &piece : piecesOf(hunk))
        for (int line = 0; line < piece.newCount; ++line)
            lines.push_back(hunk.line - 1 + piece.newStart + line);
    return lines;
}

std::vector<HunkFolds::Stretch> unchangedStretches(const std::vector<ShownHunk> &hunks, int lineCount,
                                                   int around, int least) {
    std::vector<HunkFolds::Stretch> stretches;
    const auto add = [&](int first, int last) {
        if (last - first + 1 >= least)
            stretches.push_back({first, last});
    };
    if (hunks.empty())
        return stretches;
    int from = 1; // Scintilla cannot hide the first line
    for (const ShownHunk &hunk : hunks) {
        const int first = hunk.line - 1;
        add(from, first - 1 - around);
        from = std::max(from, first + hunk.oldCount + around);
    }
    add(from, lineCount - 1);
    return stretches;
}

} // namespace warpwright
