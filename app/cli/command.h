// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"
#include "app/cli/terminal.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/base/settings.h"
#include "toolchain/base/verdict.h"

namespace warpwright {

/// What every command of `wright` is given.
struct CommandContext {
    CommandLine line;
    DataFolders folders;
    Settings settings;
    Terminal output; ///< standard output
    Terminal errors; ///< standard error
};

/// Each runs to its end and gives the exit code. They turn the event loop themselves (there is none around
/// them).
[[nodiscard]] int runCheck(const CommandContext &context);
/// What the compiler knows of the kernels: resources, SASS, PTX.
[[nodiscard]] int runInspect(const CommandContext &context);
/// What the hardware counted in one call of the candidate, or a report of it.
[[nodiscard]] int runCounters(const CommandContext &context);
/// When what of one call of each arm runs.
[[nodiscard]] int runTimeline(const CommandContext &context);
/// What keeps the kernels from being faster, by all that is known of the text.
[[nodiscard]] int runFindings(const CommandContext &context);
[[nodiscard]] int runHeat(const CommandContext &context);
/// One page for a browser of a text and what was tried around it.
[[nodiscard]] int runReport(const CommandContext &context);
[[nodiscard]] int runNew(const CommandContext &context);
/// Makes what the first compile in an environment would wait for. Works behind everybody else.
[[nodiscard]] int runPrepare(const CommandContext &context);
[[nodiscard]] int runDoctor(const CommandContext &context);
/// `bench window`: how fast the window starts and what its events cost.
[[nodiscard]] int runBench(const CommandContext &context);
/// `bench clock`: what the judge's clock says of the reference against itself.
[[nodiscard]] int runClock(const CommandContext &context);
[[nodiscard]] int runLoop(const CommandContext &context);
/// `bench tasks`: what the playbook makes of all references of resources/tasks.
[[nodiscard]] int runTasks(const CommandContext &context);
/// Runs the suite of attacks against the judge of this machine.
[[nodiscard]] int runSelftest(const CommandContext &context);
/// Measures the artefact of a stored evaluation again.
[[nodiscard]] int runReproduce(const CommandContext &context);
/// The tree of iterations, and the runs.
[[nodiscard]] int runLog(const CommandContext &context);
/// One iteration: its changes, decisions and measurements.
[[nodiscard]] int runShow(const CommandContext &context);
/// Two iterations beside each other.
[[nodiscard]] int runCompare(const CommandContext &context);
/// Tells a recorded run and checks its texts.
[[nodiscard]] int runReplay(const CommandContext &context);
/// One run of an agent, under a person's control.
[[nodiscard]] int runTune(const CommandContext &context);
/// The external agents that are set up or known: list, add, try, remove.
[[nodiscard]] int runAgents(const CommandContext &context);
/// Our tools for agents of other programs; and what these need to start them.
[[nodiscard]] int runMcp(const CommandContext &context);
/// The language models that are set up: list, try, add, remove, their keys.
[[nodiscard]] int runModels(const CommandContext &context);
[[nodiscard]] int runVersion(const CommandContext &context);

/// A sentence on standard error; with --json also a document on standard output, for those who only read
/// that: of check an evaluation, of all others `warpwright.error/1`. `verdict` gives the exit code: usage, or
/// cancelled where the person stopped it.
[[nodiscard]] int refuse(const CommandContext &context, const QString &message,
                         Verdict verdict = Verdict::Usage);

} // namespace warpwright
