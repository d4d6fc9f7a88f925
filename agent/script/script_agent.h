// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/script/script_folder.h"

#include <memory>

namespace warpwright {

/// Proposes the steps of a folder, one a request: the way to review somebody's series of changes with
/// measurements, and what tests drive.
///
/// A step is meant for the text that the steps before it make. What is there now may be another: a person
/// edited, or rejected a step. Then the step is carried over three ways; where that is not clean the proposal
/// keeps the series' own text as its base, so that the review shows the conflict. Always asynchronous.
class ScriptAgent : public Agent {
    Q_OBJECT
public:
    /// An error that says which step cannot be read.
    [[nodiscard]] static Result<std::unique_ptr<ScriptAgent>> open(const QString &folder);

    [[nodiscard]] AgentIdentity identity() const override;
    void propose(const AgentRequest &request) override;
    void cancel() override;

    /// An error where the folder's steps are others by now.
    [[nodiscard]] Result<void> wasAnswered(const AnsweredProposal &answered) override;

    /// In a run that goes on: the text of the first step's proposal, where none was answered yet. What was
    /// typed since is the person's, and no step takes it back.
    void beganFrom(const CandidateTexts &texts) { m_series = m_series.value_or(texts); }

    [[nodiscard]] int stepCount() const { return static_cast<int>(m_steps.size()); }

private:
    /// A step that the text went on without, whole or in part, and what it changes in the series' own text.
    struct LeftOut {
        int number = 0; ///< from 1
        bool isInPart = false;
        CandidateTexts before, after;
    };
    explicit ScriptAgent(std::vector<ScriptStep> steps);
    void learn(const Feedback &answer);
    void nameNeeded(SeriesStep &step, const CandidateTexts &now) const;
    void work(const AgentRequest &request);
    void tellPlan();
    void tellTaught(const AgentRequest &request);
    void tellWhatRuns(const Proposal &proposal, const AgentRequest &request);
    [[nodiscard]] Result<PatchedTexts> advance(const CandidateTexts &texts);
    [[nodiscard]] Result<Proposal> make(const AgentRequest &request);

    std::vector<ScriptStep> m_steps;
    std::size_t m_next = 0;
    std::optional<CandidateTexts> m_series; ///< the text after the steps so far, as the series means it
    std::vector<LeftOut> m_leftOut;
    std::optional<LeftOut> m_last;        ///< the step that was proposed last
    std::optional<std::size_t> m_toTeach; ///< the step that was decided last, and nothing is said of it yet
    int m_request = 0;
    bool m_isWorking = false;
    bool m_hasSaidThatItReadsNothing = false;
};

} // namespace warpwright
