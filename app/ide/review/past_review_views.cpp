// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/past_review_views.h"

#include "app/ide/review/hunk_pieces.h"
#include "app/ide/review/proposal_views.h"

#include <algorithm>

namespace warpwright {
namespace {

ShownHunk::State pastState(const Hunk &hunk, bool isOut) {
    if (isOut)
        return ShownHunk::Rejected; // whatever was said of it, its lines do not stand
    switch (hunk.state) {
    case HunkState::Accepted:
        return ShownHunk::Accepted;
    case HunkState::Edited:
        return ShownHunk::Edited;
    case HunkState::Rejected:
        return ShownHunk::Rejected;
    case HunkState::Conflict:
        return ShownHunk::Conflict;
    case HunkState::Open:
        break;
    }
    return ShownHunk::Open;
}

} // namespace

QString ShownReview::fileOf(int hunk) const {
    for (const auto &[file, shown] : hunks)
        for (const ShownHunk &one : shown)
            if (one.id == hunk)
                return file;
    return {};
}

int ShownReview::neighbour(int hunk, int by) const {
    std::vector<int> all;
    for (const auto &[file, shown] : hunks)
        for (const ShownHunk &one : shown)
            all.push_back(one.id);
    if (all.empty())
        return 0;
    const auto found = std::find(all.begin(), all.end(), hunk);
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    const std::ptrdiff_t at = found == all.end() ? (by > 0 ? -1 : 0) : found - all.begin();
    return all[static_cast<std::size_t>((at + by + count) % count)];
}

std::optional<ShownReview> shownReview(const ScenedProposal &proposal, const CandidateTexts &now) {
    const Result<PastReview> placed = pastReview(proposal, now);
    if (!placed.hasValue())
        return std::nullopt;
    const PastReview &past = placed.value();
    const bool isOut = !proposal.isWritten && proposal.outcome != ScenedProposal::Outcome::Open;
    ShownReview shown;
    shown.proposal = numberOf(proposal.id);
    shown.texts = past.review.texts();
    shown.isOnDisk = shown.texts == now;
    for (const auto &[id, name] : past.recordedIds)
        shown.ids[name] = id;
    const std::optional<Evidence> all =
        proposal.after ? std::optional(evidenceOf(proposal.before, *proposal.after, {})) : std::nullopt;
    shown.contributions = hunkContributions(past.review, proposal.evidences, all ? &*all : nullptr,
                                            proposal.before ? &*proposal.before : nullptr);
    // What ran is of the device that the run had.
    shown.first = firstToRead(past.review, proposal.after    ? proposal.after->notRun
                                           : proposal.before ? proposal.before->notRun
                                                             : ExercisedFiles());
    int number = 0;
    for (const ReviewedFile &file : past.review.files())
        for (const Hunk &hunk : file.lines.hunks()) {
            ShownHunk one = shownHunk(file, hunk, ++number, proposal.evidences);
            const QString name = past.recordedIds.at(hunk.id);
            one.state = pastState(hunk, isOut);
            one.isUntouched = false; // nobody changes it any more
            one.answer = proposal.answerWords(name);
            one.remark = proposal.answerReason(name).simplified();
            if (one.stands()) {
                one.goneLines = linesWithoutEnds(hunk.oldLines);
                addPieces(one, hunk.oldLines, hunk.standing);
            } else {
                addPieces(one, hunk.standing, hunk.newLines);
            }
            shown.hunks[file.path()].push_back(one);
        }
    return shown;
}

} // namespace warpwright
