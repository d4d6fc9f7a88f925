// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/bench_tasks_command.h"

#include "agent/factory/agent_by_name.h"
#include "agent/playbook/playbook_setup.h"
#include "agent/tasks/task_bench.h"
#include "agent/tasks/task_results_file.h"
#include "app/cli/bench/bench_tasks_options.h"
#include "app/cli/bench/tasks_report.h"
#include "app/cli/judging/evaluation_request.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/sweep.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/base/text_file.h"
#include "toolchain/process/lifetime_lock.h"

#include <QDir>
#include <QEventLoop>
#include <QFileInfo>

#include <algorithm>
#include <unistd.h>

namespace warpwright {
namespace {

void printTable(const CommandContext &context, const std::vector<TaskResult> &results) {
    print(STDOUT_FILENO,
          context.asksJson
              ? QString::fromUtf8(dumpJson(tasksDocument(results, programVersion()), 2)) + QLatin1Char('\n')
              : QLatin1Char('\n') + tasksReport(results, context.output));
}

int runJoin(const CommandContext &context, const BenchTasksOptions &asked) {
    const Result<std::vector<TaskResult>> rows = readTaskResults(asked.joined);
    if (!rows.hasValue())
        return refuse(context, rows.message());
    // A table of what was asked for, as in a run: the other half's rows are another table.
    std::vector<TaskResult> wanted;
    for (const TaskResult &row : rows.value()) {
        const TaskSelection &selection = asked.selection;
        if ((selection.split.isEmpty() || row.split == selection.split) &&
            (selection.names.isEmpty() || selection.names.contains(row.name)))
            wanted.push_back(row);
    }
    printTable(context, wanted);
    return 0;
}

/// The word that rows of one table have in common, whichever way the device was asked for.
QString deviceWord(const QString &asked, bool hasCuda) {
    const bool isCpu =
        asked == QLatin1String("cpu") || (!asked.startsWith(QLatin1String("cuda")) && !hasCuda);
    return isCpu ? QStringLiteral("cpu") : QStringLiteral("cuda");
}

QString resultsFileIn(const QString &folder, const TaskSelection &selection) {
    return folder +
           (selection.shards > 1
                ? QStringLiteral("/results-%1-of-%2.jsonl").arg(selection.shard).arg(selection.shards)
                : QStringLiteral("/results.jsonl"));
}

/// What is run, by whom and where. An error, a sentence.
Result<TaskBenchRequest> benchRequest(const CommandContext &context, const BenchTasksOptions &asked) {
    using Answer = Result<TaskBenchRequest>;
    TaskBenchRequest request;
    request.evaluation = evaluationRequestFor(context, {}, asked.machine);
    request.evaluation.tier = asked.tier.value_or(request.evaluation.tier);
    if (request.evaluation.device.isEmpty())
        request.evaluation.device = context.settings.device;
    const Result<std::vector<TuningTask>> all = listTuningTasks(context.folders.resources);
    if (!all.hasValue())
        return Answer::error(all.message());
    const Result<std::vector<TuningTask>> tasks = selected(all.value(), asked.selection);
    if (!tasks.hasValue())
        return Answer::error(tasks.message());
    const Result<PlaybookSetup> machine = playbookSetup(request.evaluation, SessionMode::Auto);
    if (!machine.hasValue())
        return Answer::error(machine.message());
    const Result<MakeAgent> makeAgent = agentMaker(asked.agent, request.evaluation, SessionMode::Auto);
    if (!makeAgent.hasValue())
        return Answer::error(makeAgent.message());
    request.tasks = tasks.value();
    request.makeAgent = makeAgent.value();
    request.leave = asked.leave;
    request.folder = QDir::cleanPath(QDir::current().absoluteFilePath(asked.out));
    request.resultsFile = resultsFileIn(request.folder, asked.selection);
    request.resumes = asked.resumes;
    request.minutesPerTask = asked.minutesPerTask;
    request.minutesForFirst = asked.minutesForFirst;
    request.settings = {
        asked.agent.text(), deviceWord(request.evaluation.device, machine.value().hasCudaDevice),
        QString(),          tierName(request.evaluation.tier),
        asked.isSmall,      programVersion()};
    return Answer::ok(std::move(request));
}

/// All rows of the file that were asked for: also those of the run that this one goes on with.
std::vector<TaskResult> rowsOf(const QString &file, const std::vector<TuningTask> &tasks) {
    std::vector<TaskResult> rows;
    const auto known =
        QFileInfo::exists(file) ? readTaskResults({file}) : Result<std::vector<TaskResult>>::ok({});
    if (!known.hasValue())
        print(STDERR_FILENO, printable(known.message()) + QLatin1Char('\n'));
    else
        for (const TaskResult &row : known.value())
            if (std::any_of(tasks.begin(), tasks.end(),
                            [&row](const TuningTask &task) { return task.name == row.name; }))
                rows.push_back(row);
    return rows;
}

int runTasks(const CommandContext &context, const BenchTasksOptions &asked) {
    if (!asked.joined.isEmpty())
        return runJoin(context, asked);
    adoptOrphans();
    const Result<TaskBenchRequest> request = benchRequest(context, asked);
    if (!request.hasValue())
        return refuse(context, request.message());
    const std::vector<TuningTask> tasks = request.value().tasks;
    const QString file = request.value().resultsFile;
    // Two that write into one file would run the same tasks in the same workspaces.
    if (const Result<void> made = makeFolder(request.value().folder); !made.hasValue())
        return refuse(context, made.message());
    LifetimeLock lock(file + QStringLiteral(".lock"));
    if (!lock.tryTake())
        return refuse(context,
                      QStringLiteral("Another wright writes its rows to \"%1\": wait for it, or name another "
                                     "folder with --out.")
                          .arg(file));

    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    TaskBench bench(request.value());
    int exitCode = 0;
    // With --json standard output belongs to the document.
    const int words = context.asksJson ? STDERR_FILENO : STDOUT_FILENO;
    const Terminal &terminal = context.asksJson ? context.errors : context.output;
    QObject::connect(&bench, &TaskBench::progress, &progress, &ProgressLine::show);
    QObject::connect(&bench, &TaskBench::taskEnded, &loop,
                     [&](const TaskResult &result, int number, int count) {
                         progress.clear();
                         print(words, taskLine(result, number, count, terminal));
                     });
    QObject::connect(&bench, &TaskBench::finished, &loop, [&] {
        progress.clear();
        if (bench.passedOver() > 0)
            print(STDERR_FILENO, QStringLiteral("%1 had a row already.\n")
                                     .arg(countText(bench.passedOver(), QStringLiteral("task"))));
        printTable(context, rowsOf(file, tasks));
        exitCode = interrupt.hasStopped() ? 130 : 0;
        if (!bench.whyEnded().isEmpty()) {
            print(STDERR_FILENO, printable(bench.whyEnded()) + QLatin1Char('\n'));
            exitCode = 2;
        }
        loop.quit();
    });
    QObject::connect(&bench, &TaskBench::failed, &loop, [&](const QString &message) {
        progress.clear();
        exitCode = refuse(context, message);
        loop.quit();
    });
    stopOnInterrupt(interrupt, bench, progress);
    // Not at once: a failure may come before the loop turns.
    QMetaObject::invokeMethod(&bench, &TaskBench::start, Qt::QueuedConnection);
    loop.exec();
    sweep(interrupt.hasKilled());
    return exitCode;
}

} // namespace

Command benchTasksCommand() {
    return commandWith(
        "tasks", "Let an agent tune the references of resources/tasks, and say what came of each and of all",
        runTasks);
}

} // namespace warpwright
