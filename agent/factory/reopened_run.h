// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_name.h"
#include "agent/record/run_so_far.h"
#include "agent/record/trajectory_writer.h"
#include "toolchain/check/evaluation_run.h"

#include <memory>
#include <optional>

namespace warpwright {

/// A run that goes on: where it was, its agent before the first proposal that was not answered, and its
/// trajectory, to which it is appended.
struct ReopenedRun {
    RunSoFar so;
    std::shared_ptr<Agent> agent;
    std::shared_ptr<TrajectoryWriter> writer;
    QString notice; ///< what a crash left of the last line; mostly empty
};

/// Of whatever agent it is. `run`: empty: the newest that has not ended. `script`: the folder of a script's
/// steps now; empty: the one it began with. `request`: with which its proposals are measured. `other`: goes
/// on in the place of the run's own agent, and is of its kind; none: its own. An error says why the run
/// cannot go on. Reads the whole trajectory, and what was measured: for the pool.
[[nodiscard]] Result<ReopenedRun> reopenRun(const Workspace &workspace, const QString &run,
                                            const QString &script, const EvaluationRequest &request,
                                            const AgentName &other = {});
/// The agent that a run was left by.
[[nodiscard]] AgentName agentOfRun(const QString &stateFolder, const QString &run);
/// The newest run of a workspace, where it has not come to its end, or a budget that is used up ended it;
/// `run` is empty where it has, or there is none. Reads its whole trajectory: for the pool.
struct LeftRun {
    QString run;
    AgentName agent;         ///< kind You: it does not say
    int proposal = 0;        ///< the last one's number; 0: there is none
    QString title;           ///< of that one
    int step = 0;            ///< its place in a series; 0: it stands alone
    bool isByBudget = false; ///< it goes on with a larger one
    RunBudgets budgets;
    RunMeter meter;                ///< used so far
    std::optional<qint64> process; ///< another one works on it: it is not left; 0: which is unknown

    bool operator==(const LeftRun &) const = default;
};
[[nodiscard]] LeftRun leftRun(const QString &stateFolder);
/// «Continues the run 2026…: 3 proposals were answered; "unroll" was not, and is proposed once more.»
[[nodiscard]] QString continuedText(const RunSoFar &so);

} // namespace warpwright
