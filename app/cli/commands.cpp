// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/cli/bench/bench_clock_command.h"
#include "app/cli/bench/bench_loop_command.h"
#include "app/cli/bench/bench_tasks_command.h"
#include "app/cli/bench/bench_window_command.h"
#include "app/cli/history/compare_command.h"
#include "app/cli/history/log_command.h"
#include "app/cli/history/replay_command.h"
#include "app/cli/history/report_command.h"
#include "app/cli/history/show_command.h"
#include "app/cli/judging/check_command.h"
#include "app/cli/judging/prepare_command.h"
#include "app/cli/judging/reproduce_command.h"
#include "app/cli/judging/selftest_command.h"
#include "app/cli/kernels/counters_command.h"
#include "app/cli/kernels/findings_command.h"
#include "app/cli/kernels/heat_command.h"
#include "app/cli/kernels/inspect_command.h"
#include "app/cli/kernels/timeline_command.h"
#include "app/cli/setup/agents_command.h"
#include "app/cli/setup/doctor_command.h"
#include "app/cli/setup/mcp_command.h"
#include "app/cli/setup/models_command.h"
#include "app/cli/setup/new_command.h"
#include "app/cli/setup/version_command.h"
#include "app/cli/tuning/tune_command.h"

namespace warpwright {
namespace {

Command group(const char *name, const char *help, std::vector<Command> verbs) {
    Command command;
    command.name = name;
    command.help = help;
    command.verbs = std::move(verbs);
    return command;
}

} // namespace

std::vector<Command> commands() {
    return {checkCommand(),
            inspectCommand(),
            findingsCommand(),
            heatCommand(),
            newCommand(),
            prepareCommand(),
            doctorCommand(),
            selftestCommand(),
            reproduceCommand(),
            logCommand(),
            showCommand(),
            compareCommand(),
            replayCommand(),
            group("bench", "Measure Warpwright itself on this machine",
                  {benchWindowCommand(), benchClockCommand(), benchLoopCommand(), benchTasksCommand()}),
            tuneCommand(),
            agentsCommand(),
            mcpCommand(),
            countersCommand(),
            timelineCommand(),
            reportCommand(),
            modelsCommand(),
            versionCommand()};
}

} // namespace warpwright
