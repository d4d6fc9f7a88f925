// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/stop_on_interrupt.h"
#include "app/cli/terminal_report.h"
#include "app/cli/version_text.h"
#include "toolchain/checked_text.h"
#include "toolchain/evaluation_json.h"
#include "toolchain/evaluation_run.h"
#include "toolchain/processes_below.h"

#include <QDir>
#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

EvaluationRequest requestFor(const CommandContext &context) {
    EvaluationRequest request;
    request.path = QDir::current().absoluteFilePath(context.line.path);
    request.device = context.line.device;
    request.python = context.line.python;
    request.tier = context.line.tier.value_or(context.settings.tier.value_or(Tier::Quick));
    request.lastStage = context.line.lastStage;
    request.settings = context.settings;
    request.folders = context.folders;
    request.programVersion = programVersion();
    // For those who write a judge, and for the tests of what happens when it dies.
    request.judgeProgram = qEnvironmentVariable("WARPWRIGHT_JUDGE");
    request.judgeSilenceMs = qEnvironmentVariableIntValue("WARPWRIGHT_JUDGE_SILENCE_MS");
    return request;
}

void report(const CommandContext &context, const Evaluation &evaluation, const QString &storedAt) {
    if (context.line.asksJson)
        print(STDOUT_FILENO, QString::fromUtf8(toText(evaluation)));
    else
        print(STDOUT_FILENO, reportText(evaluation, context.output, storedAt));
    // Where nothing was judged the reason belongs on standard error too, unless a terminal shows both anyway.
    const bool isSeen = !context.line.asksJson && context.output.isTerminal && context.errors.isTerminal;
    if (exitCodeFor(evaluation.verdict) == 2 && !isSeen)
        print(STDERR_FILENO, printable(plainText(evaluation.message)) + QLatin1Char('\n'));
}

/// Nothing of ours may outlive us; what cannot be killed is named.
void sweep(bool atOnce) {
    QEventLoop loop;
    ProcessCleanup cleanup;
    QObject::connect(&cleanup, &ProcessCleanup::finished, &loop,
                     [&loop](const std::vector<ProcessFact> &left) {
                         for (const ProcessFact &fact : left)
                             print(STDERR_FILENO, QStringLiteral("still there: %1\n").arg(describe(fact)));
                         loop.quit();
                     });
    cleanup.start(atOnce ? 0 : 1000, 5000);
    loop.exec();
}

} // namespace

int runCheck(const CommandContext &context) {
    adoptOrphans();
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    const EvaluationRequest request = requestFor(context);
    CheckedText text(request.path, request.folders);
    EvaluationRun run(request);
    int exitCode = 2;

    QObject::connect(&run, &EvaluationRun::progress, &progress, &ProgressLine::show);
    QObject::connect(&run, &EvaluationRun::stageEnded, &progress, &ProgressLine::stageEnded);
    QObject::connect(&run, &EvaluationRun::finished, &loop,
                     [&](const Evaluation &evaluation, const QString &storedAt) {
                         progress.clear();
                         exitCode = exitCodeFor(evaluation.verdict);
                         sweep(interrupt.hasKilled());
                         if (!storedAt.isEmpty())
                             text.link(evaluation);
                         if (!text.notice().isEmpty())
                             print(STDERR_FILENO, printable(text.notice()) + QLatin1Char('\n'));
                         report(context, evaluation, storedAt);
                         loop.quit();
                     });
    stopOnInterrupt(interrupt, run, progress);
    run.start();
    loop.exec();
    return exitCode;
}

} // namespace warpwright
