// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernels/timeline_command.h"

#include "app/cli/judging/evaluation_request.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/sweep.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/timeline_report.h"
#include "toolchain/timeline/timeline_store.h"
#include "toolchain/workspace/candidate_texts.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

struct TimelineOptions {
    QString path = QStringLiteral(".");
    bool wantsStored = false; ///< what was traced before, nothing is run
    MachineOptions machine;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand() const;
};

void TimelineOptions::addTo(CLI::App &app) {
    addWorkspace(app, path);
    app.add_flag("--stored", wantsStored, "Show what was traced of this text before, and run nothing");
    addDevice(app, machine.device)->type_name("DEVICE");
    addPython(app, machine.python);
    app.add_flag("--json", asksJson, "Print all of it as JSON (warpwright.timeline/1)");
    app.footer("The document is kept in .warpwright/timelines/ of the workspace.\n"
               "Exit code 0: here it is; 2: the candidate could not be traced; 130: stopped.");
}

QString TimelineOptions::understand() const {
    const QString why = whyNoGpuDevice(machine.device);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright timeline --help"));
}

/// 2 where the candidate, whose picture was asked for, has none.
int exitCodeOf(const Timeline &timeline) {
    const TimelineArm *candidate = timeline.arm(QStringLiteral("candidate"));
    return candidate != nullptr && !candidate->problem.isEmpty() ? exitCodeFor(Verdict::Usage) : 0;
}

int tell(const CommandContext &context, const Timeline &timeline, const QString &storedAt) {
    if (context.asksJson) {
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(toJson(timeline), 2)) + QLatin1Char('\n'));
        return exitCodeOf(timeline);
    }
    print(STDOUT_FILENO, timelineText(timeline, context.output));
    if (!storedAt.isEmpty())
        print(STDOUT_FILENO, QStringLiteral("\n%1\n").arg(storedAt));
    return exitCodeOf(timeline);
}

int tellStored(const CommandContext &context, const QString &path) {
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(path), context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    const Result<CandidateTexts> texts = readCandidateTexts(workspace.value());
    if (!texts.hasValue())
        return refuse(context, texts.message());
    const TimelineStore store(workspace.value().state);
    const QString hash = textHashOf(texts.value());
    if (const auto timeline = store.latestOf(hash))
        return tell(context, *timeline, {});
    if (const QString damaged = store.whyNotLatest(hash); !damaged.isEmpty())
        return refuse(context, damaged);
    return refuse(context,
                  QStringLiteral("Cannot find a timeline of the text on disk in \"%1\": none was traced. "
                                 "Run wright timeline.")
                      .arg(workspace.value().state));
}

int runTimeline(const CommandContext &context, const TimelineOptions &asked) {
    adoptOrphans();
    if (asked.wantsStored)
        return tellStored(context, asked.path);
    EvaluationRequest request = evaluationRequestFor(context, asked.path, asked.machine);
    request.lastStage = LastStage::Verify;
    request.tier = Tier::Quick;
    request.isStored = false;
    request.traces = true;
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    int exitCode = exitCodeFor(Verdict::Usage);
    std::optional<Timeline> traced;
    QString keptAt;
    EvaluationRun run(request);
    QObject::connect(&run, &EvaluationRun::progress, &progress, &ProgressLine::show);
    QObject::connect(&run, &EvaluationRun::stageEnded, &progress, &ProgressLine::stageEnded);
    QObject::connect(&run, &EvaluationRun::traced, &loop, [&](const Timeline &timeline, const QString &path) {
        traced = timeline;
        keptAt = path;
    });
    QObject::connect(
        &run, &EvaluationRun::finished, &loop, [&](const Evaluation &evaluation, const QString &) {
            progress.clear();
            sweep(interrupt.hasKilled());
            exitCode = traced ? tell(context, *traced, keptAt)
                              : refuse(context, plainText(evaluation.message),
                                       evaluation.verdict == Verdict::Cancelled ? Verdict::Cancelled
                                                                                : Verdict::Usage);
            loop.quit();
        });
    stopOnInterrupt(interrupt, run, progress);
    run.start();
    loop.exec();
    return exitCode;
}

} // namespace

Command timelineCommand() {
    return commandWith("timeline",
                       "Show when what of one call runs: kernels, copies, gaps and launches of the "
                       "candidate and of torch; needs no Nsight Compute",
                       runTimeline);
}

} // namespace warpwright
