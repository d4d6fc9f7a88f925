// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hunk_rows.h"

#include <algorithm>

namespace warpwright {
namespace {

std::vector<ShownHunk::Piece> piecesOf(const ShownHunk &hunk) {
    if (!hunk.pieces.empty())
        return hunk.pieces;
    return {{0, hunk.oldCount, 0, static_cast<int>(hunk.newLines.size())}};
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
        if (!hunk.isLeft())
            continue;
        for (const ShownHunk::Piece &piece : piecesOf(hunk)) {
            auto &below = rows[std::max(least, first + piece.oldStart + piece.oldCount - 1)];
            for (int line = 0; line < piece.newCount; ++line)
                below.push_back({HunkRow::Added, at, piece.newStart + line, 0});
        }
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
