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
/// kernels of our own for all of it, then one move after the other, best expected first; keeps what was
/// accepted. Where hardware counters of the current text's run are kept, findings in them influence the
/// order, and a proposal names the finding that it addresses.
///
/// Reports before it begins what becomes of the current text, and resumes from one that is its own. Where
/// even its best first text is predicted to be slower, it asks, or in auto mode proposes nothing.
///
/// Done when the device's speed of light is near, when no move is left, or where the reference is
/// unsupported: then it reports why. Always asynchronous; a process of its own reads the reference, and
/// choices are made in the pool.
///
/// A run that is resumed is replayed, from its record and the reference: it comes to where it was, or reports
/// that it would write other texts now, and begins anew without those that were tried.
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
    /// Loads the measurements that were there when the run began.
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
    void loadFindings();
    void think(std::function<void(PlaybookChoice &)> work, std::function<void()> then);
    void promptStart();
    void recall();
    void recallFrom(std::size_t index);
    void beginAnew(const QString &why);
    void endRecall(const std::vector<Feedback> &feedback);
    void learn();
    void recordRefusal(const PlaybookMove &move, const QString &reason);
    void remember(const PlaybookMove &move, double ratio);
    void reportOnce(const QString &id, const QString &text, bool isSilent = false);
    void end(const QString &why);
    void fail(const QString &message);

    GraphImporter m_reader;
    QByteArray m_reference;                 ///< the text that was read, or is being read
    std::vector<AnsweredProposal> m_record; ///< of a resumed run, until its last answer is processed
    MeasurementTable m_earlier;             ///< as it was when the resumed run began
    std::set<QString> m_reported;
    QElapsedTimer m_reading;
    double m_readingSeconds = 0;
    int m_number = 0; ///< of the request
    int m_plans = 0;  ///< programs that were begun: results of earlier ones are dropped
    bool m_isWorking = false;
    bool m_isReading = false;         ///< or makes the program of what was read
    bool m_hasLoadedFindings = false; ///< of the request's texts
    bool m_isPlanForCpu = false;
    bool m_isGraphReported = false; ///< when it was read ahead, it is reported with the next request
    bool m_hasRecalled = false;
};

} // namespace warpwright
