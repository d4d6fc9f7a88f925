// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/playbook/ir/reference_graph.h"
#include "agent/playbook/playbook_progress.h"
#include "agent/playbook/playbook_setup.h"
#include "agent/playbook/tuning/first_moves.h"
#include "agent/playbook/tuning/resume_point.h"
#include "toolchain/findings/finding.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace warpwright {

[[nodiscard]] AgentIdentity playbookIdentity();

/// What the playbook says while it chooses, in its order.
struct PlaybookMessage {
    QString id; ///< of a message, which is said once
    QString text;
    bool isSilent = false;              ///< said when the record was made
    std::vector<PlanItem> program = {}; ///< instead of a message
};

/// All that the playbook knows, and what it proposes next: a value, so that it can think in the pool on a
/// copy of its own. To plan a large model takes longer than a window has.
class PlaybookChoice {
public:
    /// What it proposes next, why nothing, or what it asks first.
    void choose();
    /// The same of a record that is gone through again: whether what was proposed then comes out.
    void chooseAgain(const AnsweredProposal &was);
    /// From the text that lies there, without what was tried.
    void chooseAnew(const std::vector<AnsweredProposal> &record);

    [[nodiscard]] std::vector<PlaybookMessage> takeMessages() { return std::exchange(m_messages, {}); }

protected:
    explicit PlaybookChoice(PlaybookSetup setup) : m_setup(std::move(setup)) {}

    [[nodiscard]] bool isForGpu(const AgentRequest &request) const;
    [[nodiscard]] PlaybookDevice device() const;
    /// That a plan is made for; null: the usual one.
    [[nodiscard]] ChosenDevice chip() const;
    [[nodiscard]] QString deviceName() const;
    [[nodiscard]] QString descriptionOfPlan() const;
    [[nodiscard]] const MeasurementTable &measurements() const;
    void take(const PlaybookMove &move);

    PlaybookSetup m_setup;
    AgentRequest m_request;
    std::shared_ptr<const ReferenceGraph> m_graph; ///< null: it is not read
    PlaybookProgress m_at;
    MeasurementTable m_known; ///< what a run that goes on had measured by the proposal that is gone through
    AgentRequest m_asked;     ///< waits while the record is gone through
    Findings m_findings;      ///< of the request's texts, where their counters are kept
    QString m_question;       ///< that it waits for, before its first text; empty: none
    bool m_hasSoughtResumePoint = false;
    bool m_isRecalling = false;
    std::optional<Proposal> m_made;
    QString m_why;                  ///< nothing is proposed
    bool m_isProposedAgain = false; ///< what was gone through last

private:
    [[nodiscard]] std::vector<PlaybookMove> byFindings(std::vector<PlaybookMove> moves) const;
    [[nodiscard]] std::optional<Finding> findingOf(const PlaybookMove &move) const;
    [[nodiscard]] PlaybookMove firstMove() const;
    [[nodiscard]] FirstMoves firstMoves(PlaybookPace pace) const;
    [[nodiscard]] FirstMoves foundMoves(PlaybookPace pace) const;
    [[nodiscard]] QString standingText() const;
    void reportStart();
    [[nodiscard]] bool isTooSlow(const PlaybookMove &move) const;
    void chooseStart();
    [[nodiscard]] QStringList historyTitles() const;
    void seekResumePoint();
    [[nodiscard]] bool goesOnFromResumePoint();
    void beginWith(const FirstMoves &first);
    void predict(PlaybookMove &first) const;
    [[nodiscard]] Prediction predictionFor(const PlaybookMove &move) const;
    [[nodiscard]] bool isFirstDue() const;
    [[nodiscard]] PlaybookMove nextFirst();
    [[nodiscard]] bool isSwept() const;
    [[nodiscard]] std::optional<PlaybookMove> nextMove();
    [[nodiscard]] QString whyNoMove() const;
    /// From what was learned; none: `why` says that it is done.
    [[nodiscard]] std::optional<Proposal> next(QString &why);
    [[nodiscard]] Proposal proposalOf(const PlaybookMove &move);
    [[nodiscard]] bool isAsBefore(const AnsweredProposal &was);
    [[nodiscard]] bool wasTried(const Proposal &proposal) const;
    [[nodiscard]] std::vector<PlaybookMove> moves(const Program &program,
                                                  const std::vector<Knobs> &knobSets) const;
    [[nodiscard]] std::vector<PlaybookMove> calibrated(const Program &program,
                                                       std::vector<PlaybookMove> moves,
                                                       const std::vector<Knobs> &knobSets) const;
    void reportPlan(const QString &working);
    void report(const QString &id, const QString &text);
    [[nodiscard]] QString whyEnough() const;

    std::optional<ResumePoint> m_resumePoint; ///< found, and not begun with yet
    FirstMoves m_atOnce;                      ///< found with it
    std::set<QString> m_triedTexts;           ///< by their hashes, where it has begun anew
    std::vector<PlaybookMessage> m_messages;  ///< not told yet
};

} // namespace warpwright
