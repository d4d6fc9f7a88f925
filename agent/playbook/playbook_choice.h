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

/// What the playbook reports while it chooses, in order.
struct PlaybookMessage {
    QString id; ///< of a message, which is sent once
    QString text;
    bool isSilent = false;            ///< sent already when the record was made
    std::vector<PlanItem> items = {}; ///< a plan, instead of a message
};

/// All state of the playbook, and the choice of what it proposes next: a value, so that the pool can work on
/// a copy. To plan a large model takes longer than a window may block.
class PlaybookChoice {
public:
    /// What it proposes next, why nothing, or what it asks first.
    void choose();
    /// The same while a record is replayed: whether the same proposal results.
    void chooseAgain(const AnsweredProposal &was);
    /// From the current text, without what was tried.
    void chooseAnew(const std::vector<AnsweredProposal> &record);

    [[nodiscard]] std::vector<PlaybookMessage> takeMessages() { return std::exchange(m_messages, {}); }

protected:
    explicit PlaybookChoice(PlaybookSetup setup) : m_setup(std::move(setup)) {}

    [[nodiscard]] bool isForGpu(const AgentRequest &request) const;
    /// Where the candidate runs.
    [[nodiscard]] Target target() const;
    /// That a program is tuned for.
    [[nodiscard]] ChosenDevice chip() const;
    [[nodiscard]] QString deviceName() const;
    [[nodiscard]] QString descriptionOfPlan() const;
    [[nodiscard]] const MeasurementTable &measurements() const;
    void take(const PlaybookMove &move);

    PlaybookSetup m_setup;
    AgentRequest m_request;
    std::shared_ptr<const ReferenceGraph> m_graph; ///< null: not read yet
    PlaybookProgress m_at;
    MeasurementTable m_known; ///< what a resumed run had measured by the replayed proposal
    AgentRequest m_asked;     ///< the request that waits while the record is replayed
    Findings m_findings;      ///< of the request's texts, where their counters are kept
    QString m_question;       ///< whose answer it waits for, before its first text; empty: none
    bool m_hasSoughtResumePoint = false;
    bool m_isRecalling = false;
    std::optional<Proposal> m_made;
    QString m_why;                  ///< why nothing is proposed
    bool m_isProposedAgain = false; ///< the last replayed proposal

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
    /// From what was learned; empty: `why` has the reason.
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
    std::set<QString> m_triedTexts;           ///< by their hashes, after it has begun anew
    std::vector<PlaybookMessage> m_messages;  ///< not sent yet
};

} // namespace warpwright
