// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/agent_run.h"

#include "agent/record/bet_again.h"

namespace warpwright {

/// Keeps an event first, and then counts what it says of predictions.
class AgentRun::LedgerKeeper : public Recorder {
public:
    LedgerKeeper(TrajectoryWriter &writer, AgentRun &run, PredictionLedger ledger)
        : m_writer(writer), m_run(run), m_ledger(std::move(ledger)) {}

    [[nodiscard]] Result<void> append(const QString &kind, const Json &body) override {
        if (const Result<void> kept = m_writer.append(kind, body); !kept.hasValue())
            return kept;
        m_ledger.take(kind, body);
        emit m_run.ledgerChanged();
        return Result<void>::ok();
    }
    [[nodiscard]] const PredictionLedger &ledger() const { return m_ledger; }

private:
    TrajectoryWriter &m_writer;
    AgentRun &m_run;
    PredictionLedger m_ledger;
};

Result<std::unique_ptr<AgentRun>> AgentRun::make(Setup setup, std::shared_ptr<Agent> agent) {
    using Made = Result<std::unique_ptr<AgentRun>>;
    if (setup.continued) {
        TrajectoryWriter before = std::move(*setup.continued->writer);
        return Made::ok(
            std::unique_ptr<AgentRun>(new AgentRun(std::move(setup), std::move(agent), std::move(before))));
    }
    Result<TrajectoryWriter> writer = TrajectoryWriter::beginRun(setup.workspace.state);
    if (!writer.hasValue())
        return Made::error(writer.message());
    return Made::ok(std::unique_ptr<AgentRun>(
        new AgentRun(std::move(setup), std::move(agent), std::move(writer).value())));
}

AgentRun::AgentRun(Setup setup, std::shared_ptr<Agent> agent, TrajectoryWriter writer)
    : m_writer(std::move(writer)),
      m_agent(std::move(agent)),
      m_recorder(std::make_unique<LedgerKeeper>(
          m_writer, *this, setup.continued ? setup.continued->so.ledger : PredictionLedger())),
      m_measurer(std::make_unique<EvaluationMeasurer>(setup.workspace, setup.request)) {
    SessionSetup asked;
    asked.workspace = setup.workspace;
    asked.run = m_writer.run();
    asked.device = setup.request.settings.device;
    asked.program = setup.request.programVersion;
    asked.mode = setup.mode;
    asked.budgets = setup.budgets;
    asked.source = setup.source;
    if (setup.continued)
        asked.continued = setup.continued->so.continued;
    connect(m_measurer.get(), &EvaluationMeasurer::compiled, this, &AgentRun::compiled);
    m_session = std::make_unique<Session>(asked, *m_agent, *m_measurer, *m_recorder);
    if (setup.continued)
        placeBetsAgain(*m_session, setup.continued->so);
    m_writer.syncLater(setup.tell);
}

AgentRun::~AgentRun() = default;

const PredictionLedger &AgentRun::ledger() const {
    return m_recorder->ledger();
}

} // namespace warpwright
