// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <QCoreApplication>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace warpwright {
namespace {

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
    const CommandLine line = parseCommandLine(QCoreApplication::arguments());
    context.asksJson = line.asksJson;
    context.refusesWithEvaluation = line.refusesWithEvaluation;
    context.output = terminalOf(STDOUT_FILENO);
    context.errors = terminalOf(STDERR_FILENO);
    if (line.kind == CommandLine::Kind::Help) {
        print(STDOUT_FILENO, line.text);
        return ended(0);
    }
    if (line.kind == CommandLine::Kind::Error)
        return refuse(context, line.text);

    context.folders = DataFolders::find();
    Result<Settings> settings = Settings::load(context.folders.settingsFile());
    if (!settings.hasValue())
        return refuse(context, settings.message());
    context.settings = settings.value();

    return ended(line.run(context));
}
