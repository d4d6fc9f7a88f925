// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/stored_report.h"

#include "agent/reported_runs.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/findings/stored_input.h"
#include "toolchain/iteration_store.h"
#include "toolchain/report_page/report_page.h"
#include "toolchain/text_file.h"
#include "toolchain/timeline/timeline_store.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostProposals = 300;

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

} // namespace

Result<ReportInput> storedReport(const Workspace &workspace, int iteration) {
    const IterationStore history(workspace.state);
    ReportInput input;
    Result<std::vector<IterationRecord>> records = history.list();
    if (records.hasValue())
        input.iterations = std::move(records).value();
    else
        input.problems << records.message();
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
    Result<StoredInput> stored = storedInputOf(workspace, iteration);
    if (!stored.hasValue())
        return Result<ReportInput>::error(stored.message());
    const QString textHash = stored.value().subject.textHash;
    input.workspace = workspace.name;
    input.folder = workspace.folder;
    input.trains = workspace.task.trains;
    input.iteration = iteration > 0 ? iteration : numberOf(input.iterations, textHash);
    input.isOnDisk = iteration == 0;
    input.findings.missing = stored.value().missing;
    input.known = std::move(stored).value().input;
    input.precisionAllowed =
        input.known.evaluation ? input.known.evaluation->precisionAllowed : workspace.task.allow;
    input.timeline = TimelineStore(workspace.state).latestOf(textHash);
    if (!input.known.counters)
        input.otherCounters = otherCounters(CounterStore(workspace.state), input.iterations);
    for (const IterationRecord &record : input.iterations)
        if (!record.problem.isEmpty() && input.problems.size() < 10)
            input.problems << record.problem;
    ReportedRuns runs = reportedRuns(workspace.state, mostProposals);
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
    const Result<void> written = writeFileAtomically(file, page.value());
    return written.hasValue() ? Result<qint64>::ok(page.value().size())
                              : Result<qint64>::error(written.message());
}

} // namespace warpwright
