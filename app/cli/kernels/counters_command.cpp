// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernels/counters_command.h"

#include "app/cli/judging/evaluation_request.h"
#include "app/cli/kernels/counters_options.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/sweep.h"
#include "app/cli/process/version_text.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/counters/attached_report.h"
#include "toolchain/counters/collect_stage.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_folder.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/counters_report.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QDir>
#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

/// The text that was asked for, and where its counters are kept.
struct CountedText {
    Workspace workspace;
    QString textHash;
    QString state;
};

Result<CountedText> countedText(const CommandContext &context, const QString &path, int iteration) {
    Result<Workspace> opened = Workspace::open(QDir::current().absoluteFilePath(path), context.folders);
    if (!opened.hasValue())
        return Result<CountedText>::error(opened.message());
    CountedText text{opened.value(), {}, opened.value().state};
    if (iteration > 0) {
        Result<Workspace> earlier = layOutIteration(text.workspace, iteration, context.folders);
        if (!earlier.hasValue())
            return Result<CountedText>::error(earlier.message());
        text.workspace = std::move(earlier).value();
    }
    const Result<CandidateTexts> texts = readCandidateTexts(text.workspace);
    if (!texts.hasValue())
        return Result<CountedText>::error(texts.message());
    text.textHash = textHashOf(texts.value());
    return Result<CountedText>::ok(std::move(text));
}

QString ofText(int iteration) {
    return iteration > 0 ? QStringLiteral("iteration %1").arg(iteration) : QStringLiteral("the text on disk");
}

Result<Counters> storedCounters(const CommandContext &context, const QString &path, int iteration) {
    const Result<CountedText> text = countedText(context, path, iteration);
    if (!text.hasValue())
        return Result<Counters>::error(text.message());
    const CounterStore store(text.value().state);
    std::optional<Counters> found = store.latestOf(text.value().textHash);
    if (found)
        return Result<Counters>::ok(std::move(*found));
    if (const QString damaged = store.whyNotLatest(text.value().textHash); !damaged.isEmpty())
        return Result<Counters>::error(damaged);
    const QString other = store.newestText();
    return Result<Counters>::error(
        QStringLiteral("Cannot find counters of %1 in \"%2\": %3. Run wright counters%4 on a machine with a "
                       "GPU.")
            .arg(ofText(iteration), text.value().state,
                 other.isEmpty() ? QStringLiteral("none were collected")
                                 : QStringLiteral("there are none of this text, but some of %1").arg(other),
                 iteration > 0 ? QStringLiteral(" --iteration %1").arg(iteration) : QString()));
}

/// The launches that were asked for; the others are no loss, so nothing tells of them.
Counters onlyAsked(Counters counters, const CountersOptions &asked) {
    const int launch = asked.launch;
    std::erase_if(counters.kernels, [&](const KernelCounters &one) {
        return !one.name.contains(asked.kernel) || (launch > 0 && one.launch + 1 != launch);
    });
    std::erase_if(counters.leftOut,
                  [&](const LeftOutLaunches &one) { return launch > 0 || !one.name.contains(asked.kernel); });
    return counters;
}

QString whyNoneIsAsked(const Counters &all, const CountersOptions &asked) {
    QStringList names;
    int last = 0;
    for (const KernelCounters &kernel : all.kernels) {
        last = std::max(last, kernel.launch + 1);
        if (!names.contains(kernel.function))
            names << kernel.function;
    }
    if (all.kernels.empty())
        return QStringLiteral("Cannot show counters: this document holds no launch that can be read. Collect "
                              "them again: wright counters.");
    if (asked.launch > 0)
        return QStringLiteral("Cannot find launch %1%2 among those that were counted: they go up to %3. Name "
                              "one of them.")
            .arg(QString::number(asked.launch),
                 asked.kernel.isEmpty() ? QString() : QStringLiteral(" of \"%1\"").arg(asked.kernel),
                 QString::number(last));
    const qsizetype most = 12;
    const QString others =
        names.size() > most ? QStringLiteral(" and %1 more").arg(names.size() - most) : QString();
    return QStringLiteral("Cannot find a kernel \"%1\" among those that were counted: there are %2%3. Name "
                          "one of them.")
        .arg(asked.kernel, names.mid(0, most).join(QStringLiteral(", ")), others);
}

QString adviceFor(const Counters &counters, const CountersOptions &asked) {
    const bool isOfReport = !asked.import.isEmpty() && !asked.attachesImport;
    return isOfReport && counters.hasSelectedMetrics && asked.launch == 0
               ? QStringLiteral("One in full: --launch N; of one kernel the longest ones: --kernel NAME.")
               : QString();
}

/// `before`: what --against asked for, looked for before anything was run or printed.
int tell(const CommandContext &context, const CountersOptions &asked, const Counters &all,
         const QString &storedAt, const std::optional<Counters> &before = {}) {
    const Counters counters = onlyAsked(all, asked);
    if (counters.kernels.empty())
        return refuse(context, whyNoneIsAsked(all, asked));
    if (context.asksJson) {
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(toJson(counters), 2)) + QLatin1Char('\n'));
        return 0;
    }
    const QString advice = adviceFor(counters, asked);
    if (asked.wantsRaw) {
        print(STDOUT_FILENO, rawCountersText(counters, advice));
        return 0;
    }
    const QString folder = asked.import.isEmpty() || asked.attachesImport
                               ? QDir::cleanPath(QDir::current().absoluteFilePath(asked.path))
                               : QString();
    print(STDOUT_FILENO, countersText(counters, folder, context.output, advice));
    if (before)
        print(STDOUT_FILENO, QStringLiteral("\nAgainst iteration %1:\n").arg(asked.against) +
                                 countersChangesText(onlyAsked(*before, asked), counters, context.output));
    if (!storedAt.isEmpty())
        print(STDOUT_FILENO, QStringLiteral("\n%1\n").arg(storedAt));
    return 0;
}

/// The iteration that a report is to be kept with, and where.
struct AttachPlace {
    AttachTarget target;
    QString state;
    QString notice; ///< what a person is told besides; empty: nothing
};

Result<AttachPlace> attachPlace(const CommandContext &context, const CountersOptions &asked) {
    using Found = Result<AttachPlace>;
    const QString path = QDir::current().absoluteFilePath(asked.path);
    const Result<Workspace> opened = Workspace::open(path, context.folders);
    if (!opened.hasValue())
        return Found::error(opened.message());
    const Workspace &workspace = opened.value();
    const IterationStore store(workspace.state);
    const Result<std::vector<IterationRecord>> records = store.list();
    if (!records.hasValue())
        return Found::error(records.message());
    const int wanted = asked.iteration > 0 ? asked.iteration : store.current();
    AttachPlace place{{workspace.name, {}, wanted, {}, {}}, workspace.state, {}};
    const auto refused = [&](const QString &why) {
        return Found::error(QStringLiteral("Cannot attach the report \"%1\" to a text of \"%2\": %3")
                                .arg(asked.import, workspace.folder, why));
    };
    if (wanted == 0)
        return refused(QStringLiteral("it has no iteration yet. Run wright check."));
    for (const IterationRecord &record : records.value()) {
        if (record.iteration.number != wanted)
            continue;
        place.target.textHash = record.iteration.textHash;
        // The newest check that has compiled something: it knows the kernels' names.
        for (auto id = record.evaluations.crbegin(); id != record.evaluations.crend(); ++id) {
            const Result<Evaluation> checked = EvaluationStore(workspace.state).load(*id);
            if (!checked.hasValue() || checked.value().compile.kernels.empty())
                continue;
            place.target.evaluation = *id;
            place.target.kernels = checked.value().compile.kernels;
            break;
        }
    }
    if (place.target.textHash.isEmpty())
        return refused(
            QStringLiteral("there is no iteration %1. wright log lists those there are.").arg(wanted));
    if (place.target.evaluation.isEmpty())
        return refused(QStringLiteral("no check of iteration %1 lists its kernels, and nothing else says "
                                      "whether the report is of it. Run wright check.")
                           .arg(wanted));
    const Result<CandidateTexts> texts = readCandidateTexts(workspace);
    if (asked.iteration == 0 && texts.hasValue() && textHashOf(texts.value()) != place.target.textHash)
        place.notice = QStringLiteral("The text on disk was edited since iteration %1: the report is kept as "
                                      "that iteration's, and is not shown for the text on disk.\n")
                           .arg(wanted);
    return Found::ok(std::move(place));
}

int attach(const CommandContext &context, const CountersOptions &asked, const Counters &read,
           const ReportFile &report, const AttachPlace &place) {
    Result<Counters> attached = attachedCounters(read, report.path, report.written, place.target);
    if (!attached.hasValue())
        return refuse(context, attached.message());
    Counters counters = std::move(attached).value();
    counters.program = programVersion();
    const Result<QString> stored = CounterStore(place.state).storeWithReport(counters, report);
    if (!stored.hasValue())
        return refuse(context, stored.message());
    print(STDERR_FILENO, place.notice);
    return tell(context, asked, counters, stored.value());
}

int importReport(const CommandContext &context, const CountersOptions &asked) {
    std::optional<AttachPlace> place;
    if (asked.attachesImport) {
        Result<AttachPlace> found = attachPlace(context, asked);
        if (!found.hasValue())
            return refuse(context, found.message());
        place = std::move(found).value();
    }
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    int exitCode = exitCodeFor(Verdict::Usage);
    ToolchainProbe probe(ToolchainProbe::Request{asked.machine.python, context.settings, context.folders,
                                                 QProcessEnvironment::systemEnvironment(), false});
    std::unique_ptr<ReportReader> reader;
    QObject::connect(&interrupt, &Interrupt::stopAsked, &loop, [&] {
        probe.cancel();
        if (reader)
            reader->cancel();
    });
    QObject::connect(&probe, &ToolchainProbe::finished, &loop, [&](const Toolchain &toolchain) {
        ReportReading reading = reportReading(toolchain, asked.machine.python, context.folders,
                                              QProcessEnvironment::systemEnvironment());
        reading.report = QDir::current().absoluteFilePath(asked.import);
        reading.kernel = asked.kernel;
        reading.launch = asked.launch;
        reading.isPythonNamed = !asked.machine.python.isEmpty();
        reader = std::make_unique<ReportReader>(reading);
        QObject::connect(reader.get(), &ReportReader::progress, &progress, [&](int done, int count) {
            StageProgress now;
            now.stage = QStringLiteral("counters");
            now.step = QStringLiteral("read the launches of the report");
            now.index = done;
            now.count = count;
            progress.show(now);
        });
        QObject::connect(reader.get(), &ReportReader::finished, &loop, [&](const SharedCounters &counters) {
            progress.clear();
            exitCode = place ? attach(context, asked, *counters, reader->file(), *place)
                             : tell(context, asked, *counters, {});
            loop.quit();
        });
        QObject::connect(reader.get(), &ReportReader::failed, &loop, [&](const QString &message) {
            progress.clear();
            exitCode = refuse(context, message, interrupt.hasStopped() ? Verdict::Cancelled : Verdict::Usage);
            loop.quit();
        });
        if (interrupt.hasStopped())
            reader->cancel();
        reader->start();
    });
    probe.start();
    loop.exec();
    return exitCode;
}

int runCounters(const CommandContext &context, const CountersOptions &asked) {
    adoptOrphans();
    if (!asked.import.isEmpty())
        return importReport(context, asked);
    std::optional<Counters> before;
    if (asked.against > 0) {
        Result<Counters> found = storedCounters(context, asked.path, asked.against);
        if (!found.hasValue())
            return refuse(context, found.message());
        before = std::move(found).value();
    }
    if (asked.wantsStored) {
        const Result<Counters> stored = storedCounters(context, asked.path, asked.iteration);
        return stored.hasValue() ? tell(context, asked, stored.value(), {}, before)
                                 : refuse(context, stored.message());
    }
    const Result<CountedText> text = countedText(context, asked.path, asked.iteration);
    if (!text.hasValue())
        return refuse(context, text.message());
    EvaluationRequest request = evaluationRequestFor(context, asked.path, asked.machine);
    request.path = text.value().workspace.folder;
    request.stateFolder = text.value().state;
    request.iteration = asked.iteration;
    request.lastStage = LastStage::Verify;
    request.tier = Tier::Quick;
    request.isStored = false;
    CollectRequest collect;
    collect.set = asked.set;
    collect.sections = asked.sections;
    collect.kernel = asked.kernel;
    collect.mostLaunches = asked.mostLaunches;
    collect.wantsBaselines = asked.wantsBaselines;
    request.collect = collect;
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    int exitCode = exitCodeFor(Verdict::Usage);
    SharedCounters collected;
    QString keptAt;
    EvaluationRun run(request);
    QObject::connect(&run, &EvaluationRun::progress, &progress, &ProgressLine::show);
    QObject::connect(&run, &EvaluationRun::stageEnded, &progress, &ProgressLine::stageEnded);
    QObject::connect(&run, &EvaluationRun::collected, &loop,
                     [&](const SharedCounters &counters, const QString &path) {
                         collected = counters;
                         keptAt = path;
                     });
    QObject::connect(
        &run, &EvaluationRun::finished, &loop, [&](const Evaluation &evaluation, const QString &) {
            progress.clear();
            sweep(interrupt.hasKilled());
            exitCode = collected ? tell(context, asked, *collected, keptAt, before)
                                 : refuse(context, plainText(evaluation.message),
                                          evaluation.verdict == Verdict::Cancelled ? Verdict::Cancelled
                                                                                   : Verdict::Usage);
            if (!collected && evaluation.verdict == Verdict::BuildFailed)
                print(STDERR_FILENO, QStringLiteral("wright check shows what the compilers say.\n"));
            loop.quit();
        });
    stopOnInterrupt(interrupt, run, progress);
    run.start();
    loop.exec();
    return exitCode;
}

} // namespace

Command countersCommand() {
    return commandWith("counters",
                       "Collect what the hardware counted in one call of the candidate, by "
                       "Nsight Compute; or read a report of it",
                       runCounters);
}

} // namespace warpwright
