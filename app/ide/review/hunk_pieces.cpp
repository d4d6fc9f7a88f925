// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/hunk_pieces.h"

#include "toolchain/process/in_pool.h"
#include "toolchain/workspace/text_comparison.h"

#include <iterator>
#include <utility>

namespace warpwright {
namespace {

constexpr qsizetype mostLinesAtOnce = 200; // of both sides: a few milliseconds

struct HunkTexts {
    QByteArray old;
    QByteArray wanted;
};

QByteArray keyOf(const HunkTexts &texts) {
    return QByteArray::number(texts.old.size()) + ' ' + texts.old + texts.wanted;
}

ShownHunk comparedPieces(const HunkTexts &texts) {
    ShownHunk shown;
    const ComparedFile file = compareFile(QStringLiteral("hunk"), texts.old, texts.wanted);
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

std::vector<ShownHunk> allPieces(const std::vector<HunkTexts> &texts) {
    std::vector<ShownHunk> pieces;
    for (const HunkTexts &one : texts)
        pieces.push_back(comparedPieces(one));
    return pieces;
}

void take(ShownHunk &shown, const ShownHunk &pieces) {
    shown.pieces = pieces.pieces;
    shown.oldWords = pieces.oldWords;
    shown.newWords = pieces.newWords;
}

} // namespace

void addPieces(ShownHunk &shown, const TextLines &old, const TextLines &wanted) {
    take(shown, comparedPieces({joined(old), joined(wanted)}));
}

void HunkPieces::prepare(const ProposalReview &review) {
    std::vector<HunkTexts> unknown;
    qsizetype lines = 0;
    for (const ReviewedFile &file : review.files())
        for (const Hunk &hunk : file.lines.hunks()) {
            HunkTexts texts{joined(hunk.standing), joined(hunk.newLines)};
            if (hunk.isAnswered() || m_known.contains(keyOf(texts)))
                continue;
            lines += std::ssize(hunk.standing) + std::ssize(hunk.newLines);
            unknown.push_back(std::move(texts));
        }
    const auto keep = [this](const std::vector<HunkTexts> &texts, const std::vector<ShownHunk> &pieces) {
        for (std::size_t at = 0; at < texts.size(); ++at) {
            const QByteArray key = keyOf(texts[at]);
            m_known.insert(key, new ShownHunk(pieces[at]), key.size());
        }
    };
    if (lines <= mostLinesAtOnce)
        return keep(unknown, allPieces(unknown));
    if (std::exchange(m_isComparing, true))
        return;
    inPool(
        this, [unknown] { return allPieces(unknown); },
        [this, unknown, keep](const std::vector<ShownHunk> &pieces) {
            m_isComparing = false;
            keep(unknown, pieces);
            emit compared();
        });
}

void HunkPieces::add(ShownHunk &shown, const TextLines &old, const TextLines &wanted) const {
    if (const ShownHunk *found = m_known.object(keyOf({joined(old), joined(wanted)})))
        take(shown, *found);
}

} // namespace warpwright
