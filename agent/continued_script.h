// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/run_so_far.h"
#include "agent/script_agent.h"
#include "agent/trajectory_writer.h"

#include <memory>

namespace warpwright {

/// A run of a script that goes on: where it was, its agent before the first step that was not answered, and
/// its trajectory, to which it is appended.
struct ContinuedScript {
    RunSoFar so;
    std::shared_ptr<ScriptAgent> agent;
    std::shared_ptr<TrajectoryWriter> writer;
    QString notice; ///< what a crash left of the last line; mostly empty
};

/// `run`: empty: the newest that has not ended. `script`: its folder now; empty: the one it began with. An
/// error says why the run cannot go on. Reads the whole trajectory: for the pool.
[[nodiscard]] Result<ContinuedScript> continueScript(const Workspace &workspace, const QString &run,
                                                     const QString &script);
/// «Continues the run 2026…: 3 proposals were answered, "unroll" was not and is proposed once more.»
[[nodiscard]] QString continuedText(const RunSoFar &so);

} // namespace warpwright
