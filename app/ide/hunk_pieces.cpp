// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/hunk_pieces.h"

#include "toolchain/text_comparison.h"

#include <QCache>

namespace warpwright {
namespace {

constexpr qsizetype mostKnownBytes = 16 * 1024 * 1024; // of the texts of hunks whose lines were paired

ShownHunk comparedPieces(const QByteArray &old, const QByteArray &wanted) {
    ShownHunk shown;
    const ComparedFile file = compareFile(QStringLiteral("hunk"), old, wanted);
    for (const ComparedHunk &part : file.hunks) {
        ShownHunk::Piece piece;
        bool hasOld = false, hasNew = false;
        for (int i = 0; i < part.rowCount; ++i) {
            const ComparedRow &row = file.rows[static_cast<std::size_t>(part.firstRow + i)];
            if (row.leftNumber > 0) {
                piece.oldStart = hasOld ? piece.oldStart : row.leftNumber - 1;
                hasOld = true;
                ++piece.oldCount;
                for (const TextSpan &span : row.leftChanges)
                    shown.oldWords.push_back({row.leftNumber - 1, span.start, span.length});
            }
            if (row.rightNumber > 0) {
                piece.newStart = hasNew ? piece.newStart : row.rightNumber - 1;
                hasNew = true;
                ++piece.newCount;
                for (const TextSpan &span : row.rightChanges)
                    shown.newWords.push_back({row.rightNumber - 1, span.start, span.length});
            }
        }
        // A side without lines stands where the rows before it end.
        const int before = part.firstRow;
        if (!hasOld || !hasNew) {
            int left = 0, right = 0;
            for (int i = 0; i < before; ++i) {
                left += file.rows[static_cast<std::size_t>(i)].leftNumber > 0;
                right += file.rows[static_cast<std::size_t>(i)].rightNumber > 0;
            }
            piece.oldStart = hasOld ? piece.oldStart : left;
            piece.newStart = hasNew ? piece.newStart : right;
        }
        shown.pieces.push_back(piece);
    }
    return shown;
}

} // namespace

void addPieces(ShownHunk &shown, const TextLines &old, const TextLines &wanted) {
    // Every hunk is shown again at each answer and each measurement: its lines are paired once.
    thread_local QCache<QByteArray, ShownHunk> known(mostKnownBytes);
    const QByteArray before = joined(old), after = joined(wanted);
    const QByteArray key = QByteArray::number(before.size()) + ' ' + before + after;
    const ShownHunk *found = known.object(key);
    const ShownHunk pieces = found != nullptr ? *found : comparedPieces(before, after);
    if (found == nullptr)
        known.insert(key, new ShownHunk(pieces), key.size());
    shown.pieces = pieces.pieces;
    shown.oldWords = pieces.oldWords;
    shown.newWords = pieces.newWords;
}

} // namespace warpwright
