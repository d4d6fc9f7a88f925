// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "agent/playbook/first_moves.h"
#include "agent/playbook/playbook_setup.h"
#include "agent/playbook/reference_reader.h"

#include <QElapsedTimer>

#include <map>
#include <optional>
#include <set>

namespace warpwright {

/// The built-in expert, without a model and without a network: reads the reference as a graph, proposes
/// kernels of our own for all of it, then one move after the other, the most promising first; keeps what was
/// accepted.
///
/// Done when the device's speed of light is near, when no move is left, or where it has no kernel family for
/// the reference: then it says why. Always asynchronous; the reference is read in a process of its own.
class PlaybookAgent : public Agent {
    Q_OBJECT
public:
    explicit PlaybookAgent(PlaybookSetup setup, QObject *parent = nullptr);

    [[nodiscard]] AgentIdentity identity() const override;
    /// Reads the reference ahead where the device is a GPU; on a CPU that would disturb the measuring.
    void prepare(const AgentRequest &request) override;
    void propose(const AgentRequest &request) override;
    void cancel() override;

private:
    void begin();
    void read(const AgentRequest &request);
    void takeGraph(const ReferenceGraph &graph);
    void takeFailure(const QString &message);
    void tellGraph();
    void work();
    [[nodiscard]] PlaybookMove firstMove() const;
    [[nodiscard]] FirstMoves firstMoves() const;
    void beginWith(const FirstMoves &first);
    void foretell(PlaybookMove &first) const;
    void proposeFirst();
    void proposeMove();
    [[nodiscard]] bool isSwept() const;
    void sendProposal(const PlaybookMove &move);
    void take(const PlaybookMove &move);
    void learn();
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
    KernelPlan m_plan;
    QByteArray m_reference;                ///< the text that was read, or is being read
    std::vector<PlaybookMove> m_firsts;    ///< what may be proposed first, in order, and was not yet
    std::optional<PlaybookMove> m_wayBack; ///< the usual plan, where the first text is of another one
    std::set<QString> m_changes;           ///< moves to another plan that the first text came with, by title
    std::vector<KernelTuning> m_tunings;   ///< of what stands
    std::optional<PlaybookMove> m_pending; ///< proposed, and not heard of yet
    std::optional<CandidateTexts> m_mine;  ///< the text as this agent last proposed it and it was taken
    CandidateTexts m_pendingTexts;
    std::set<QString> m_tried;           ///< moves that were proposed from m_tunings on, by their titles
    std::set<QString> m_repeated;        ///< moves that were proposed a second time
    std::map<QString, int> m_firstTries; ///< first texts that were measured again, by their titles
    QString m_carried;                   ///< the title of a move that goes along undecided; empty: none
    std::vector<PlanItem> m_items;
    std::set<QString> m_said;
    QElapsedTimer m_reading;
    double m_readingSeconds = 0;
    int m_number = 0;
    bool m_isWorking = false;
    bool m_isReading = false;
    bool m_isPlanForCpu = false;
    bool m_isGraphTold = false; ///< also when it was read ahead, it is told of when a proposal is asked for
    bool m_hasProposed = false;
    bool m_wasUndecided = false; ///< a check said «inconclusive» of a proposal
    int m_lastChances = 2;
};

} // namespace warpwright
