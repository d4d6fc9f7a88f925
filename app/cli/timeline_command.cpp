// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/evaluation_request.h"
#include "app/cli/stop_on_interrupt.h"
#include "app/cli/sweep.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/timeline_report.h"
#include "toolchain/timeline/timeline_store.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QDir>
#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

/// 2 where the candidate, whose picture was asked for, has none.
int exitCodeOf(const Timeline &timeline) {
    const TimelineArm *candidate = timeline.arm(QStringLiteral("candidate"));
    return candidate != nullptr && !candidate->problem.isEmpty() ? exitCodeFor(Verdict::Usage) : 0;
}

int tell(const CommandContext &context, const Timeline &timeline, const QString &storedAt) {
    if (context.line.asksJson) {
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(toJson(timeline), 2)) + QLatin1Char('\n'));
        return exitCodeOf(timeline);
    }
    print(STDOUT_FILENO, timelineText(timeline, context.output));
    if (!storedAt.isEmpty())
        print(STDOUT_FILENO, QStringLiteral("\n%1\n").arg(storedAt));
    return exitCodeOf(timeline);
}

int tellStored(const CommandContext &context) {
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(context.line.path), context.folders);
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

} // namespace

int runTimeline(const CommandContext &context) {
    adoptOrphans();
    if (context.line.counters.wantsStored)
        return tellStored(context);
    EvaluationRequest request = evaluationRequestFor(context);
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

} // namespace warpwright
