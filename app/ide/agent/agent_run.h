// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/factory/reopened_run.h"
#include "agent/record/trajectory_writer.h"
#include "agent/review/prediction_ledger.h"
#include "agent/session/evaluation_measurer.h"
#include "agent/session/session.h"

#include <QObject>

#include <functional>
#include <memory>

namespace warpwright {

/// One run of an agent in the open workspace: the session, and all that has to outlive it. What is recorded
/// feeds the ledger as well.
class AgentRun : public QObject {
    Q_OBJECT
public:
    struct Setup {
        Workspace workspace;
        EvaluationRequest request; ///< all but its path
        SessionMode mode = SessionMode::Review;
        RunBudgets budgets;
        QString source;                       ///< of the agent: a script's folder
        std::optional<ReopenedRun> continued; ///< a run that goes on; its agent is the one given
        /// Hears what the disk refused of the record; also behind the run's end, for it is synced later.
        std::function<void(const QString &message)> tell = {};
    };
    /// An error where the run cannot be recorded: then there is none.
    [[nodiscard]] static Result<std::unique_ptr<AgentRun>> make(Setup setup, std::shared_ptr<Agent> agent);
    ~AgentRun() override;

    [[nodiscard]] QString run() const { return m_writer.run(); } ///< its id
    [[nodiscard]] Session &session() const { return *m_session; }
    [[nodiscard]] Agent &agent() const { return *m_agent; }
    [[nodiscard]] const PredictionLedger &ledger() const;

signals:
    void ledgerChanged();
    /// The compilers are done with a text that is being measured.
    void compiled(const QString &log, const warpwright::Evaluation &soFar);

private:
    class LedgerKeeper;
    AgentRun(Setup setup, std::shared_ptr<Agent> agent, TrajectoryWriter writer);

    TrajectoryWriter m_writer;
    std::shared_ptr<Agent> m_agent;
    std::unique_ptr<LedgerKeeper> m_recorder;
    std::unique_ptr<EvaluationMeasurer> m_measurer;
    std::unique_ptr<Session> m_session;
};

} // namespace warpwright
