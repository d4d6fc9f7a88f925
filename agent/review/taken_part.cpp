// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/taken_part.h"

#include "toolchain/base/figures.h"
#include "toolchain/workspace/same_code.h"

namespace warpwright {
namespace {

QString quoted(const QString &title) {
    return QStringLiteral("“%1”").arg(title);
}

} // namespace

TakenPart takenPart(const ProposalReview &review, const CandidateTexts &before) {
    const Proposal &proposal = review.proposal();
    const ReviewCount count = review.count();
    TakenPart part{proposal.author, proposal.title, false};
    if (count.rejected + count.edited == 0)
        return part;
    part.isBesideCode = isSameCode(before, review.texts());
    const QString howMuch =
        QStringLiteral("%1 of %2")
            .arg(count.accepted + count.edited)
            .arg(countText(static_cast<qsizetype>(count.total()), QStringLiteral("hunk")));
    if (part.isBesideCode && count.accepted == 0) {
        part.author = Author{};
        part.note = QStringLiteral("Comments, edited by you (%1 of %2)").arg(howMuch, quoted(proposal.title));
    } else if (part.isBesideCode) {
        part.note = QStringLiteral("Comments of %1 (%2)").arg(quoted(proposal.title), howMuch);
    } else if (count.rejected > 0) {
        part.note = QStringLiteral("Part of %1 (%2)").arg(quoted(proposal.title), howMuch);
    } else {
        part.note = QStringLiteral("%1, edited by you").arg(quoted(proposal.title));
    }
    return part;
}

bool isNoteOf(const QString &note, const QString &title) {
    return note == title || note.contains(quoted(title));
}

} // namespace warpwright
