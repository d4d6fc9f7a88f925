// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/judging/check_command.h"

#include "agent/session/applied_text.h"
#include "app/cli/judging/check_options.h"
#include "app/cli/judging/evaluation_request.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/sweep.h"
#include "app/cli/process/version_text.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/environment/gpu_device.h"
#include "toolchain/environment/python_environment.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/failure_map/failure_pattern.h"
#include "toolchain/history/checked_text.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/evaluation_report.h"

#include <QDir>
#include <QEventLoop>

#include <optional>
#include <unistd.h>
#include <vector>

namespace warpwright {
namespace {

/// Whoever reads the document need not work out what the counts of a wrong result mean.
Evaluation withNamedPatterns(Evaluation evaluation) {
    evaluation.verify = withPatterns(std::move(evaluation.verify));
    return evaluation;
}

void report(const CommandContext &context, const Evaluation &evaluation, const QString &storedAt) {
    if (context.asksJson)
        print(STDOUT_FILENO, QString::fromUtf8(toText(withNamedPatterns(evaluation))));
    else
        print(STDOUT_FILENO, reportText(evaluation, context.output, storedAt));
    // Where nothing was judged the reason belongs on standard error too, unless a terminal shows both anyway.
    const bool isSeen = !context.asksJson && context.output.isTerminal && context.errors.isTerminal;
    if (exitCodeFor(evaluation.verdict) == 2 && !isSeen)
        print(STDERR_FILENO, printable(plainText(evaluation.message)) + QLatin1Char('\n'));
}

/// Before anything is read there.
Result<void> finishWhatDied(const EvaluationRequest &request) {
    const Result<Workspace> workspace = Workspace::open(request.path, request.folders);
    if (!workspace.hasValue() || workspace.value().isLoneFile)
        return Result<void>::ok(); // the check itself says what is wrong
    WorkspaceLock lock(workspace.value().state);
    lock.take();
    const Result<QString> finished = finishInterrupted(workspace.value(), lock);
    if (!finished.hasValue())
        return Result<void>::error(finished.message());
    if (!finished.value().isEmpty())
        print(STDERR_FILENO, printable(finished.value()) + QLatin1Char('\n'));
    return Result<void>::ok();
}

/// A flag names what is not here, so nothing of the text will be tried: it is not worth an iteration.
bool isFlagMistaken(const CommandContext &context, const MachineOptions &machine) {
    const QString &python = machine.python;
    if (!python.isEmpty() && !choosePython(python, context.settings, context.folders).hasValue())
        return true;
    if (!machine.device.startsWith(QLatin1String("cuda")))
        return false;
    const Result<std::vector<GpuDevice>> devices = findGpuDevices();
    return devices.hasValue() && devices.value().empty();
}

int runCheck(const CommandContext &context, const CheckOptions &asked) {
    adoptOrphans();
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    EvaluationRequest request = evaluationRequestFor(context, asked.path, asked.machine);
    request.tier = asked.tier.value_or(request.tier);
    request.lastStage = asked.lastStage;
    request.sweepsConfigs = asked.sweepsConfigs;
    if (const Result<void> finished = finishWhatDied(request); !finished.hasValue())
        return refuse(context, finished.message());
    std::optional<CheckedText> text;
    if (!isFlagMistaken(context, asked.machine)) {
        text.emplace(request.path, request.folders);
        request.parent = text->parent();
    }
    EvaluationRun run(request);
    int exitCode = 2;

    QObject::connect(&run, &EvaluationRun::progress, &progress, &ProgressLine::show);
    QObject::connect(&run, &EvaluationRun::stageEnded, &progress, &ProgressLine::stageEnded);
    QObject::connect(&run, &EvaluationRun::finished, &loop,
                     [&](const Evaluation &evaluation, const QString &storedAt) {
                         progress.clear();
                         exitCode = exitCodeFor(evaluation.verdict);
                         sweep(interrupt.hasKilled());
                         if (text && !storedAt.isEmpty())
                             text->link(evaluation);
                         if (text && !text->notice().isEmpty())
                             print(STDERR_FILENO, printable(text->notice()) + QLatin1Char('\n'));
                         report(context, evaluation, storedAt);
                         loop.quit();
                     });
    stopOnInterrupt(interrupt, run, progress);
    run.start();
    loop.exec();
    return exitCode;
}

} // namespace

Command checkCommand() {
    Command command = commandWith("check", "Compile, verify and profile a workspace", runCheck);
    command.refusesWithEvaluation = true;
    return command;
}

} // namespace warpwright
