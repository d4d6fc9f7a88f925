// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include <QCoreApplication>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace warpwright {
namespace {

int run(const CommandContext &context) {
    switch (context.line.command) {
    case CommandLine::Command::Check:
        return runCheck(context);
    case CommandLine::Command::Inspect:
        return runInspect(context);
    case CommandLine::Command::Counters:
        return runCounters(context);
    case CommandLine::Command::Timeline:
        return runTimeline(context);
    case CommandLine::Command::Findings:
        return runFindings(context);
    case CommandLine::Command::Heat:
        return runHeat(context);
    case CommandLine::Command::Report:
        return runReport(context);
    case CommandLine::Command::New:
        return runNew(context);
    case CommandLine::Command::Prepare:
        return runPrepare(context);
    case CommandLine::Command::Doctor:
        return runDoctor(context);
    case CommandLine::Command::Loop:
        return runLoop(context);
    case CommandLine::Command::Clock:
        return runClock(context);
    case CommandLine::Command::Tasks:
        return runTasks(context);
    case CommandLine::Command::Bench:
        return runBench(context);
    case CommandLine::Command::Selftest:
        return runSelftest(context);
    case CommandLine::Command::Reproduce:
        return runReproduce(context);
    case CommandLine::Command::Log:
        return runLog(context);
    case CommandLine::Command::Show:
        return runShow(context);
    case CommandLine::Command::Compare:
        return runCompare(context);
    case CommandLine::Command::Replay:
        return runReplay(context);
    case CommandLine::Command::Tune:
        return runTune(context);
    case CommandLine::Command::Agents:
        return runAgents(context);
    case CommandLine::Command::Mcp:
        return runMcp(context);
    case CommandLine::Command::Models:
        return runModels(context);
    case CommandLine::Command::Version:
        return runVersion(context);
    case CommandLine::Command::Help:
    case CommandLine::Command::Error:
        break;
    }
    return 2;
}

/// What could not be written is no success. A reader that went away (wright … | head) had what it wanted.
int ended(int exitCode) {
    const int problem = lostOutput();
    if (problem == 0 || problem == EPIPE)
        return exitCode;
    print(STDERR_FILENO, QStringLiteral("Cannot write to standard output: %1. Not all of it is there.\n")
                             .arg(QString::fromLocal8Bit(std::strerror(problem))));
    return exitCode != 0 ? exitCode : exitCodeFor(Verdict::Usage);
}

} // namespace
} // namespace warpwright

int main(int argc, char **argv) {
    using namespace warpwright;
    // A reader that goes away (wright … | head) is no reason to die in the middle of a build.
    std::signal(SIGPIPE, SIG_IGN);
    const QCoreApplication application(argc, argv);
    CommandContext context;
    context.line = parseCommandLine(QCoreApplication::arguments());
    context.output = terminalOf(STDOUT_FILENO);
    context.errors = terminalOf(STDERR_FILENO);
    if (context.line.command == CommandLine::Command::Help) {
        print(STDOUT_FILENO, context.line.text);
        return ended(0);
    }
    if (context.line.command == CommandLine::Command::Error) {
        const QStringList said = QCoreApplication::arguments();
        context.line.asksJson = said.contains(QStringLiteral("--json"));
        context.line.isErrorOfCheck = said.value(1) == QLatin1String("check");
        return refuse(context, context.line.text);
    }

    context.folders = DataFolders::find();
    Result<Settings> settings = Settings::load(context.folders.settingsFile());
    if (!settings.hasValue())
        return refuse(context, settings.message());
    context.settings = settings.value();

    return ended(run(context));
}
