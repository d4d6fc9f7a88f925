// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_event.h"
#include "agent/review/hunk_answers.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"

#include <vector>

namespace warpwright {

/// Accepted hunks of a proposal that is not applied yet can stand in the workspace all the same: a program
/// was killed, and its drafts, or what was saved meanwhile, hold them. They are answers of the review, and no
/// text of the person's; what was typed beside them is.
class StandingAnswers {
public:
    StandingAnswers() = default;
    /// `proposal`: its event. `base`: the text of the workspace at it.
    StandingAnswers(const TrajectoryEvent &proposal, const CandidateTexts &base);

    /// Later events, in their order; those of other proposals are passed over.
    void take(const TrajectoryEvent &event);
    /// `now` without them, file by file. A file stays as it is where somebody typed in or right beside the
    /// lines of such a hunk.
    [[nodiscard]] CandidateTexts takenOut(const CandidateTexts &now) const;

private:
    [[nodiscard]] std::vector<CandidateTexts> textsAnswered() const;

    TrajectoryEvent m_proposal;
    CandidateTexts m_base;
    HunkAnswers m_answers;
    std::vector<HunkAnswers> m_past; ///< a draft may be some answers behind
};

/// `now` without them, where it is no iteration of an agent's: what died while it was written is one already.
[[nodiscard]] CandidateTexts takenOutOf(const Workspace &workspace, const StandingAnswers &standing,
                                        const CandidateTexts &now);
/// Before a run goes on: `now` without the accepted hunks of the proposal that it was left at. `now` where
/// nothing of one stands there, or the run cannot be read. Reads the whole trajectory: for the pool.
[[nodiscard]] CandidateTexts withoutAnswersOf(const Workspace &workspace, const QString &run,
                                              const CandidateTexts &now);

} // namespace warpwright
