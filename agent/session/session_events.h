// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "agent/review/proposal_review.h"
#include "toolchain/base/json.h"
#include "toolchain/evaluation/evaluation.h"

/// The bodies of the trajectory's events, field by field as in TRAJECTORY.md.
namespace warpwright {

[[nodiscard]] Json hunkIdToJson(int hunk); ///< a text there
[[nodiscard]] Json authorToJson(const Author &author);

[[nodiscard]] Json proposalBody(const ProposalReview &review);
[[nodiscard]] Json conflictBody(const QString &proposal, const Hunk &hunk);
[[nodiscard]] Json handEditBody(const CandidateTexts &before, const CandidateTexts &after);
[[nodiscard]] Json appliedBody(const QString &proposal, const CandidateTexts &before,
                               const CandidateTexts &after);
/// The text on the disk is that of an earlier iteration again.
[[nodiscard]] Json restoredBody(int iteration, const QString &why, const CandidateTexts &before,
                                const CandidateTexts &after);
[[nodiscard]] Json iterationBody(const Iteration &iteration);

/// What an evaluation is of.
struct EvaluationSubject {
    enum class Of { Iteration, Proposal, Hunk, WithoutHunk };

    Of of = Of::Iteration;
    int iteration = 0;
    QString proposal;
    int hunk = 0;

    bool operator==(const EvaluationSubject &) const = default;
};
[[nodiscard]] Json evaluationBody(const EvaluationSubject &subject, const Evaluation &evaluation,
                                  const QString &textHash);
[[nodiscard]] Json usageBody(const AgentUsage &usage);
[[nodiscard]] Json toolCallBody(const ToolCall &call);
[[nodiscard]] Json planBody(const std::vector<PlanItem> &items);
[[nodiscard]] Json messageBody(const AgentMessage &message);

} // namespace warpwright
