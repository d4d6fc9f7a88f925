// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/playbook/frontend/graph_import.h"
#include "agent/playbook/playbook_choice.h"

#include <QElapsedTimer>

#include <functional>
#include <memory>
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
/// the reference: then it says why. Always asynchronous; the reference is read in a process of its own,
/// and it thinks in the pool.
///
/// A run that goes on it goes through again, from its record and the reference: it comes to where it was, or
/// says that it would write other texts now, and begins anew without those that were tried.
class PlaybookAgent : public Agent, private PlaybookChoice {
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
    void beginWork();
    void read(const AgentRequest &request);
    void takeGraph(const std::shared_ptr<const ReferenceGraph> &graph);
    void takeFailure(const QString &message);
    void reportGraph();
    void makePlan(std::shared_ptr<const ReferenceGraph> graph, std::function<void()> then);
    void work();
    void lookUp();
    void think(std::function<void(PlaybookChoice &)> work, std::function<void()> then);
    void promptStart();
    void recall();
    void recallFrom(std::size_t index);
    void beginAnew(const QString &why);
    void endRecall(const std::vector<Feedback> &feedback);
    void learn();
    void heed(const PlaybookMove &move, const QString &reason);
    void remember(const PlaybookMove &move, double ratio);
    void reportOnce(const QString &id, const QString &text, bool isSilent = false);
    void end(const QString &why);
    void fail(const QString &message);

    GraphImporter m_reader;
    QByteArray m_reference;                 ///< the text that was read, or is being read
    std::vector<AnsweredProposal> m_record; ///< of a run that goes on, until the last of it is learned from
    MeasurementTable m_earlier;             ///< as it was when that run began
    std::set<QString> m_said;
    QElapsedTimer m_reading;
    double m_readingSeconds = 0;
    int m_number = 0; ///< of what is asked
    int m_plans = 0;  ///< a plan that was begun with an earlier one is dropped
    bool m_isWorking = false;
    bool m_isReading = false;   ///< or plans what was read
    bool m_hasLookedUp = false; ///< what was found of the request's texts
    bool m_isPlanForCpu = false;
    bool m_isGraphReported =
        false; ///< also when it was read ahead, it is told of when a proposal is asked for
    bool m_hasRecalled = false;
};

} // namespace warpwright
