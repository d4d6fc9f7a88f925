// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_scene.h"
#include "agent/review/proposal_review.h"

namespace warpwright {

/// A proposal of a past run with its hunks where they stood in the text at one event, answered as they were
/// then. Once it is written, its text is the one on the disk; before, the one that the editors held.
struct PastReview {
    ProposalReview review;
    std::map<int, QString> recordedIds; ///< of its hunks, as the run's events name them

    /// By its hunk's number in the review; 0: it has none of this name.
    [[nodiscard]] int hunkOf(const QString &recordedId) const;
};

/// `now`: the text on the disk at that event. An error where the text that it was made for is not recorded,
/// or its hunks do not fit that text: nothing is placed by likeness.
[[nodiscard]] Result<PastReview> pastReview(const ScenedProposal &proposal, const CandidateTexts &now);

} // namespace warpwright
