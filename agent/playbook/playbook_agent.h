// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "agent/playbook/first_moves.h"
#include "agent/playbook/own_start.h"
#include "agent/playbook/playbook_progress.h"
#include "agent/playbook/playbook_setup.h"
#include "agent/playbook/reference_reader.h"
#include "toolchain/findings/finding.h"

#include <QElapsedTimer>

#include <functional>
#include <optional>
#include <set>

namespace warpwright {

/// The built-in expert, without a model and without a network: reads the reference as a graph, proposes
/// kernels of our own for all of it, then one move after the other, the most promising first; keeps what was
/// accepted. Where the hardware was counted while the text ran that stands, what was found in it has a say in
/// the order, and a proposal names the finding that it answers.
///
/// Says before it begins what becomes of the text that stands, and goes on from one that is its own. Where
/// even its best first text should be slower, it asks, or alone proposes nothing.
///
/// Done when the device's speed of light is near, when no move is left, or where it has no kernel family for
/// the reference: then it says why. Always asynchronous; the reference is read in a process of its own.
///
/// A run that goes on it goes through again, from its record and the reference: it comes to where it was, or
/// says that it would write other texts now, and begins anew without those that were tried.
class PlaybookAgent : public Agent {
    Q_OBJECT
public:
    explicit PlaybookAgent(PlaybookSetup setup, QObject *parent = nullptr);

    [[nodiscard]] AgentIdentity identity() const override;
    /// Reads the reference ahead where the device is a GPU; on a CPU that would disturb the measuring.
    void prepare(const AgentRequest &request) override;
    void propose(const AgentRequest &request) override;
    void cancel() override;
    void answerPrompt(const QString &id, const QString &answer) override;
    /// Reads the measurements that were there when the run began.
    [[nodiscard]] Result<void> wasAnswered(const AnsweredProposal &answered) override;

private:
    void begin();
    void read(const AgentRequest &request);
    void takeGraph(const ReferenceGraph &graph);
    void takeFailure(const QString &message);
    void tellGraph();
    void work();
    void lookUp();
    [[nodiscard]] std::vector<PlaybookMove> byFindings(std::vector<PlaybookMove> moves) const;
    [[nodiscard]] std::optional<Finding> findingOf(const PlaybookMove &move) const;
    [[nodiscard]] PlaybookMove firstMove() const;
    [[nodiscard]] FirstMoves firstMoves(PlaybookPace pace) const;
    [[nodiscard]] FirstMoves foundMoves(PlaybookPace pace) const;
    [[nodiscard]] QString standingWords() const;
    void tellStart();
    [[nodiscard]] bool isTooSlow(const PlaybookMove &move) const;
    void chooseStart();
    [[nodiscard]] QStringList ownTitles() const;
    [[nodiscard]] bool mustSeekOwn() const { return !m_at.hasProposed && !m_hasSoughtOwn; }
    void seekOwn(std::function<void()> then);
    [[nodiscard]] bool goesOnFromOwn();
    void askStart();
    void beginWith(const FirstMoves &first);
    void foretell(PlaybookMove &first) const;
    [[nodiscard]] bool isFirstDue() const;
    [[nodiscard]] PlaybookMove nextFirst();
    [[nodiscard]] bool isSwept() const;
    [[nodiscard]] std::optional<PlaybookMove> nextMove();
    [[nodiscard]] QString whyNoMove() const;
    /// From what was learned; none: `why` says that it is done, or somebody stopped it meanwhile.
    [[nodiscard]] std::optional<Proposal> next(QString &why);
    [[nodiscard]] Proposal proposalOf(const PlaybookMove &move);
    void recall();
    void recallFrom(std::size_t index);
    [[nodiscard]] bool isProposedAgain(const AnsweredProposal &was);
    void beginAnew(const QString &why);
    void endRecall(const std::vector<Feedback> &feedback);
    [[nodiscard]] bool wasTried(const Proposal &proposal) const;
    [[nodiscard]] const MeasurementTable &measurements() const;
    void take(const PlaybookMove &move);
    void learn();
    void heed(const PlaybookMove &move, const QString &reason);
    [[nodiscard]] std::vector<PlaybookMove> moves(const KernelPlan &plan,
                                                  const std::vector<KernelTuning> &tunings) const;
    [[nodiscard]] std::vector<PlaybookMove> foreseen(const KernelPlan &plan, std::vector<PlaybookMove> moves,
                                                     const std::vector<KernelTuning> &tunings) const;
    void remember(const PlaybookMove &move, double ratio);
    void tellPlan(const QString &working);
    void sayOnce(const QString &id, const QString &text);
    void end(const QString &why);
    void fail(const QString &message);
    [[nodiscard]] bool isForGpu(const AgentRequest &request) const;
    void makePlan();
    [[nodiscard]] PlaybookDevice device() const;
    [[nodiscard]] QString deviceName() const;
    [[nodiscard]] QString whyEnough() const;
    [[nodiscard]] QString descriptionOfPlan() const;

    PlaybookSetup m_setup;
    ReferenceReader m_reader;
    AgentRequest m_request;
    std::optional<ReferenceGraph> m_graph;
    QByteArray m_reference; ///< the text that was read, or is being read
    PlaybookProgress m_at;
    std::optional<OwnStart> m_own;          ///< found, and not begun with yet
    FirstMoves m_atOnce;                    ///< found with it
    std::vector<AnsweredProposal> m_record; ///< of a run that goes on, until the last of it is learned from
    MeasurementTable m_earlier;             ///< as it was when that run began
    MeasurementTable m_known; ///< and with what the run had measured by the proposal that is gone through
    std::set<QString> m_triedTexts; ///< by their hashes, where it has begun anew
    AgentRequest m_asked;           ///< waits while the record is gone through
    Findings m_findings;            ///< of the request's texts, where their counters are kept
    QString m_question;             ///< that it waits for, before its first text; empty: none
    std::set<QString> m_said;
    QElapsedTimer m_reading;
    double m_readingSeconds = 0;
    int m_number = 0;
    bool m_isWorking = false;
    bool m_isReading = false;
    bool m_hasSoughtOwn = false;
    bool m_hasLookedUp = false; ///< what was found of the request's texts
    bool m_isPlanForCpu = false;
    bool m_isGraphTold = false; ///< also when it was read ahead, it is told of when a proposal is asked for
    bool m_isRecalling = false;
    bool m_hasRecalled = false;
};

} // namespace warpwright
