// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/recorded_feedback.h"

#include "agent/review/hunk_groups.h"

namespace warpwright {
namespace {

HunkState stateOf(const QString &answer) {
    return answer == QLatin1String("accept")   ? HunkState::Accepted
           : answer == QLatin1String("reject") ? HunkState::Rejected
                                               : HunkState::Edited;
}

} // namespace

RecordedFeedback::RecordedFeedback(const TrajectoryEvent &proposal, std::optional<EvaluationSummary> before)
    : m_proposal(proposal.text("proposal")),
      m_base(static_cast<int>(proposal.integer("iteration"))),
      m_before(std::move(before)) {}

void RecordedFeedback::take(const TrajectoryEvent &event) {
    const auto is = [&event](const char *kind) {
        return event.kind == QLatin1String(kind);
    };
    const bool isOfIt = event.text("proposal") == m_proposal;
    if (is("evaluation")) {
        const auto found = event.body.find("summary");
        const auto summary = found == event.body.end() ? std::nullopt : summaryFromJson(*found);
        const int iteration = static_cast<int>(event.integer("iteration"));
        if (event.text("of") == QLatin1String("proposal") && isOfIt) {
            m_measured = summary;
            m_measuredHash = event.text("textHash");
        } else if (event.text("of") == QLatin1String("iteration") && iteration == m_base) {
            m_before = summary;
        } else if (event.text("of") == QLatin1String("iteration") && iteration == m_iteration) {
            m_after = summary;
        }
    } else if (is("applied") && isOfIt) {
        m_isApplied = true;
        m_resultHash = event.text("resultHash");
        m_isBesideCode = event.body.contains("besideCode");
        if (const auto names = event.body.find("uncalled"); names != event.body.end() && names->is_array())
            for (const Json &name : *names)
                if (name.is_string())
                    m_uncalled << QString::fromStdString(name.get<std::string>());
    } else if (is("iteration") && m_isApplied && event.text("textHash") == m_resultHash) {
        m_iteration = static_cast<int>(event.integer("number"));
    } else if (is("policy") && isOfIt) {
        m_why = event.text("why");
        decide(event.text("answer"));
    } else if (is("step")) {
        decide(event.text("answer"));
    }
}

void RecordedFeedback::wasFoundApplied(const QString &textHash) {
    m_isApplied = true;
    m_resultHash = textHash;
}

void RecordedFeedback::decide(const QString &answer) {
    static const std::map<QString, Feedback::Outcome> outcomes{
        {QStringLiteral("discard"), Feedback::Outcome::Rejected},
        {QStringLiteral("keep-as-branch"), Feedback::Outcome::KeptAsBranch},
        {QStringLiteral("undo"), Feedback::Outcome::Undone},
        {QStringLiteral("branch"), Feedback::Outcome::KeptAsBranch}};
    const auto found = outcomes.find(answer);
    m_decided = found == outcomes.end() ? std::nullopt : std::optional(found->second); // "accept", "keep"
}

Feedback RecordedFeedback::feedback(const HunkAnswers &answers) const {
    Feedback told;
    told.proposal = m_proposal;
    const bool isTaken = m_isApplied && !m_isBesideCode;
    told.outcome = m_decided.value_or(isTaken ? Feedback::Outcome::Applied : Feedback::Outcome::Rejected);
    told.why = m_why;
    if (told.outcome == Feedback::Outcome::Applied && !m_uncalled.isEmpty()) {
        told.uncalled = m_uncalled;
        told.why += (told.why.isEmpty() ? QString() : QStringLiteral(" ")) + uncalledSentence(m_uncalled);
    }
    for (const auto &[hunk, given] : answers.given()) {
        AnsweredHunk answered;
        answered.hunk = hunk.toInt();
        answered.state = stateOf(given.answer);
        answered.reason = given.reason;
        told.hunks.push_back(answered);
    }
    // Accepted whole it is the text that was measured already.
    const std::optional<EvaluationSummary> &after =
        !m_isApplied || (!m_after && m_measuredHash == m_resultHash) ? m_measured : m_after;
    const bool isByPerson = !m_isApplied && !m_decided; // who heard nothing of what was measured
    if (m_before && after && !isByPerson)
        told.ratio = timeRatio(*m_before, *after);
    return told;
}

} // namespace warpwright
