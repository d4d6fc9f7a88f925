// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/feedback.h"
#include "agent/record/trajectory_event.h"
#include "agent/review/hunk_answers.h"

namespace warpwright {

/// What an agent was told of one proposal, or would have been: from the record's events alone.
class RecordedFeedback {
public:
    RecordedFeedback() = default;
    /// `proposal`: its event. `before`: what was measured of the text that it was made for.
    RecordedFeedback(const TrajectoryEvent &proposal, std::optional<EvaluationSummary> before);

    /// Every later event, until the next proposal.
    void take(const TrajectoryEvent &event);
    /// The program died between the history and the record: its text, or what is left of it, lies there.
    void wasFoundApplied(const QString &textHash);
    /// Of its hunks number, state and reason.
    [[nodiscard]] Feedback feedback(const HunkAnswers &answers) const;

private:
    void decide(const QString &answer);

    QString m_proposal;
    int m_base = 0;         ///< the iteration that it was made for
    int m_iteration = 0;    ///< that was made of it
    QString m_resultHash;   ///< what was written, where it was applied
    QString m_measuredHash; ///< the text that m_measured is of
    bool m_isApplied = false;
    std::optional<Feedback::Outcome> m_decided; ///< by the policy, or as a step
    QString m_why;
    QStringList m_uncalled;
    bool m_isBesideCode = false; ///< comments alone were taken of it
    std::optional<EvaluationSummary> m_before;
    std::optional<EvaluationSummary> m_measured; ///< of it as it was proposed
    std::optional<EvaluationSummary> m_after;    ///< of what was made of it
};

} // namespace warpwright
