// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/proposal_review.h"
#include "widgets/review/shown_hunk.h"

#include <QCache>
#include <QObject>

namespace warpwright {

/// Where lines change between the two, and which words of them: milliseconds for some hundred lines.
void addPieces(ShownHunk &shown, const TextLines &old, const TextLines &wanted);

/// The same for a review, whose hunks are shown again at each answer and each measurement: each is compared
/// once, many lines of them in the pool. Until then a hunk has none: all its lines go, and all new ones come.
class HunkPieces : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Compares what is not known of its open hunks; compared() follows where that was left to the pool.
    void prepare(const ProposalReview &review);
    void add(ShownHunk &shown, const TextLines &old, const TextLines &wanted) const;

signals:
    void compared();

private:
    static constexpr qsizetype mostKept = 16 * 1024 * 1024; ///< bytes of the texts that were compared

    QCache<QByteArray, ShownHunk> m_known{mostKept};
    bool m_isComparing = false; ///< in the pool
};

} // namespace warpwright
