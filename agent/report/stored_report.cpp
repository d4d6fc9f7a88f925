// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/report/stored_report.h"

#include "agent/record/reported_runs.h"
#include "agent/record/run_iterations.h"
#include "agent/report/reported_lesson.h"
#include "toolchain/base/text_file.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/findings/stored_input.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/report_page/report_page.h"
#include "toolchain/timeline/timeline_store.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostProposals = 300;
constexpr std::size_t mostMaps = 8; ///< of a run's wrong proposals
constexpr qsizetype mostNamed = 8;

/// The newest iteration with this text; 0: none.
int numberOf(const std::vector<IterationRecord> &records, const QString &textHash) {
    int number = 0;
    for (const IterationRecord &record : records)
        if (record.iteration.textHash == textHash)
            number = std::max(number, record.iteration.number);
    return number;
}

/// Of which text the newest counters are, where there are none of this one; empty: there are none at all.
QString otherCounters(const CounterStore &store, const std::vector<IterationRecord> &records) {
    const QStringList ids = store.ids();
    if (ids.isEmpty())
        return {};
    const Result<Counters> newest = store.load(ids.last());
    if (!newest.hasValue())
        return {};
    const int number = numberOf(records, newest.value().textHash);
    return number > 0
               ? QStringLiteral("The newest counters are of iteration %1, which is another text.").arg(number)
               : QStringLiteral("The newest counters are of a text that is no iteration.");
}

Result<ReportedRuns> runsToTell(const Workspace &workspace, const QString &run) {
    ReportedRuns runs = reportedRuns(workspace.state, mostProposals, run);
    if (run.isEmpty() || !runs.runs.empty())
        return Result<ReportedRuns>::ok(std::move(runs));
    QStringList names = runNames(workspace.state);
    const qsizetype more = std::max<qsizetype>(names.size() - mostNamed, 0);
    names = names.mid(more);
    return Result<ReportedRuns>::error(
        QStringLiteral("There is no run \"%1\" in \"%2\". %3")
            .arg(run, workspace.folder,
                 names.isEmpty() ? QStringLiteral("No agent has worked here.")
                 : more > 0      ? QStringLiteral("The newest are %1.").arg(names.join(QStringLiteral(", ")))
                                 : QStringLiteral("There are %1.").arg(names.join(QStringLiteral(", ")))));
}

/// Where the results of its wrong proposals are wrong, of the newest ones.
void addFailures(ReportedRun &run, const EvaluationStore &evaluations) {
    std::size_t room = mostMaps;
    for (auto proposal = run.proposals.rbegin(); proposal != run.proposals.rend() && room > 0; ++proposal) {
        if (!proposal->isWrong || proposal->evaluation.isEmpty())
            continue;
        const Result<Evaluation> found = evaluations.load(proposal->evaluation);
        if (!found.hasValue())
            continue;
        proposal->failures = failureMaps(found.value().verify);
        for (FailureMap &map : proposal->failures) {
            if (map.outputs.size() > room)
                map.outputs.resize(room);
            room -= map.outputs.size();
        }
    }
}

/// The text that the run came to: of its last iteration, else of the one that it began with.
int lastOf(const ReportedRun &run) {
    return run.iterations.empty() ? run.beganFrom : run.iterations.back();
}

/// What a run recorded of its iterations, where the history has another text under this number, or none.
/// Empty: the history has it, or the run has not.
Result<std::optional<RunIterations>> onlyInRun(const Workspace &workspace, const QString &run, int iteration,
                                               const std::vector<IterationRecord> &history) {
    using Answer = Result<std::optional<RunIterations>>;
    if (run.isEmpty() || iteration == 0)
        return Answer::ok(std::nullopt);
    const Result<RunIterations> listed = runIterations(workspace.state, run, {});
    const IterationRecord *record = listed.hasValue() ? listed.value().record(iteration) : nullptr;
    const auto isSame = [record](const IterationRecord &kept) {
        return kept.iteration.number == record->iteration.number &&
               kept.iteration.textHash == record->iteration.textHash;
    };
    if (record == nullptr || std::any_of(history.begin(), history.end(), isSame))
        return Answer::ok(std::nullopt);
    Result<RunIterations> read = runIterations(workspace.state, run, {iteration});
    return read.hasValue() ? Answer::ok(std::move(read).value()) : Answer::error(read.message());
}

StoredInput storedOf(const Workspace &workspace, const RunIterations &run, int iteration) {
    StoredInput stored = storedInputOf(workspace, run.texts.at(iteration), iteration);
    const std::optional<EvaluationSummary> &latest = run.record(iteration)->latest;
    if (!stored.input.evaluation && latest)
        if (Result<Evaluation> loaded = EvaluationStore(workspace.state).load(latest->id);
            loaded.hasValue()) {
            stored.input.evaluation = std::move(loaded).value();
            stored.subject.evaluation = latest->id;
        }
    // No command brings what a past run did not keep.
    stored.missing.clear();
    if (!stored.input.evaluation)
        stored.missing << (latest ? QStringLiteral("of the check of this text the run kept the summary alone")
                                  : QStringLiteral("the run did not check this text"));
    if (!stored.input.counters)
        stored.missing << QStringLiteral("the run recorded no counters of this text");
    return stored;
}

// A slip in a name must not cost a source, or a device of the machine.
QString whyNotReplaced(const QString &path) {
    const QFileInfo there(path);
    if (!there.exists() && !there.isSymLink())
        return {};
    if (there.isDir())
        return QStringLiteral("it is a folder");
    if (!there.isFile() || there.isSymLink())
        return QStringLiteral("it is no regular file");
    QFile file(path);
    if (there.size() > 0 && !(file.open(QIODevice::ReadOnly) && file.read(64).startsWith("<!DOCTYPE html>")))
        return QStringLiteral("a file is there that is no page, and it would be lost");
    return {};
}

} // namespace

Result<ReportInput> storedReport(const Workspace &workspace, int asked, const QString &run) {
    Result<ReportedRuns> told = runsToTell(workspace, run);
    if (!told.hasValue())
        return Result<ReportInput>::error(told.message());
    ReportedRuns runs = std::move(told).value();
    const int iteration = asked == 0 && !run.isEmpty() ? lastOf(runs.runs.front()) : asked;
    const IterationStore history(workspace.state);
    ReportInput input;
    Result<std::vector<IterationRecord>> records = history.list();
    if (records.hasValue())
        input.iterations = std::move(records).value();
    else
        input.problems << records.message();
    const auto recorded = onlyInRun(workspace, run, iteration, input.iterations);
    if (!recorded.hasValue())
        return Result<ReportInput>::error(recorded.message());
    const std::optional<RunIterations> &ofRun = recorded.value();
    if (ofRun)
        input.iterations = ofRun->records;
    const auto isAsked = [iteration](const IterationRecord &record) {
        return record.iteration.number == iteration;
    };
    if (iteration > 0 && std::none_of(input.iterations.begin(), input.iterations.end(), isAsked))
        return Result<ReportInput>::error(
            input.problems.isEmpty()
                ? QStringLiteral("There is no iteration %1 in \"%2\": wright log lists those there are.")
                      .arg(iteration)
                      .arg(workspace.folder)
                : input.problems.first());
    Result<StoredInput> stored = ofRun ? Result<StoredInput>::ok(storedOf(workspace, *ofRun, iteration))
                                       : storedInputOf(workspace, iteration);
    if (!stored.hasValue())
        return Result<ReportInput>::error(stored.message());
    const QString textHash = stored.value().subject.textHash;
    input.workspace = workspace.name;
    input.folder = workspace.folder;
    input.trains = workspace.task.trains;
    input.iteration = iteration > 0 ? iteration : numberOf(input.iterations, textHash);
    input.isOnDisk = iteration == 0;
    input.findings.missing = stored.value().missing;
    input.damagedCheck = stored.value().damagedCheck;
    input.damagedCounters = stored.value().damagedCounters;
    input.known = std::move(stored).value().input;
    input.precisionAllowed =
        input.known.evaluation ? input.known.evaluation->precisionAllowed : workspace.task.allow;
    input.timeline = TimelineStore(workspace.state).latestOf(textHash);
    if (!input.known.counters && input.damagedCounters.isEmpty())
        input.otherCounters = otherCounters(CounterStore(workspace.state), input.iterations);
    for (const IterationRecord &record : input.iterations)
        if (!record.problem.isEmpty() && input.problems.size() < 10)
            input.problems << record.problem;
    input.lesson = lessonToReport(workspace);
    input.run = run;
    if (!run.isEmpty()) {
        ReportedRun &one = runs.runs.front();
        addFailures(one, EvaluationStore(workspace.state));
        std::erase_if(input.iterations, [&](const IterationRecord &record) {
            const int number = record.iteration.number;
            return number != one.beganFrom && number != input.iteration &&
                   std::find(one.iterations.begin(), one.iterations.end(), number) == one.iterations.end();
        });
    }
    input.runs = std::move(runs.runs);
    input.problems << runs.problems;
    return Result<ReportInput>::ok(std::move(input));
}

ReportInput withFindings(ReportInput input, const QStringList &missing) {
    const QStringList before = input.findings.missing + missing;
    input.findings = findingsOf(input.known);
    input.findings.missing = before + input.findings.missing;
    return input;
}

Result<qint64> writeReport(const ReportInput &input, const DataFolders &folders, const QString &file) {
    const QString colours = folders.resources + QStringLiteral("/look/tokens.json");
    const Result<QByteArray> tokens = readTextFile(colours);
    if (!tokens.hasValue())
        return Result<qint64>::error(tokens.message());
    const Result<QByteArray> page = reportPage(input, tokens.value());
    if (!page.hasValue())
        return Result<qint64>::error(
            QStringLiteral("Cannot take the page's colours from \"%1\": %2. Install Warpwright anew.")
                .arg(colours, page.message()));
    if (const QString why = whyNotReplaced(file); !why.isEmpty())
        return Result<qint64>::error(
            QStringLiteral("Cannot write the report to \"%1\": %2. Name another file.").arg(file, why));
    const Result<void> written = writeFileAtomically(file, page.value());
    return written.hasValue() ? Result<qint64>::ok(page.value().size())
                              : Result<qint64>::error(written.message());
}

} // namespace warpwright
