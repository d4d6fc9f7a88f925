// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/log_command.h"

#include "agent/record/run_index.h"
#include "app/cli/history/iteration_document.h"
#include "app/cli/history/iteration_source.h"
#include "app/cli/history/iteration_tree.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/pace_text.h"
#include "toolchain/history/best_iteration.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/report/text_table.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"

#include <CLI/CLI.hpp>

#include <QFileInfo>

#include <algorithm>

#include <unistd.h>

namespace warpwright {
namespace {

struct LogOptions {
    QString path = QStringLiteral("."); ///< a workspace, or the record of a run
    bool asksJson = false;

    void addTo(CLI::App &app);
};

void LogOptions::addTo(CLI::App &app) {
    addText(app, "DIR", path,
            "A workspace, or the record of a run: its folder or trajectory.jsonl (default: the current "
            "folder)")
        ->type_name("");
    app.add_flag("--json", asksJson, "Print all of it as JSON (warpwright.log/1)");
}

/// Names of the devices that iterations were checked on, each once.
QStringList devicesOf(const std::vector<IterationRecord> &records) {
    QStringList devices;
    for (const IterationRecord &record : records)
        if (record.latest && !record.latest->device.isEmpty() && !devices.contains(record.latest->device))
            devices << record.latest->device;
    return devices;
}

/// Whether the text on disk is another than the iteration's that it was made from; nothing: it cannot be
/// read, or there is none.
std::optional<bool> isTextEdited(const Workspace &workspace, const std::vector<IterationRecord> &records,
                                 int current) {
    const auto record = std::find_if(records.begin(), records.end(), [current](const IterationRecord &one) {
        return one.iteration.number == current;
    });
    if (record == records.end())
        return std::nullopt;
    const Result<CandidateTexts> texts = readCandidateTexts(workspace);
    return texts.hasValue() ? std::optional(textHashOf(texts.value()) != record->iteration.textHash)
                            : std::nullopt;
}

QString treeText(const std::vector<IterationRecord> &records, int current, bool isEdited,
                 const Terminal &terminal) {
    if (records.empty())
        return QStringLiteral("No iterations yet. Run wright check.\n");
    TextTable table;
    const QStringList devices = devicesOf(records);
    // A column where times of a CPU stand beside times of a GPU; else one line says it.
    const auto withDevice = [&devices](QStringList cells, const QString &device) {
        if (devices.size() > 1)
            cells.insert(5, device);
        return cells;
    };
    table.heading(withDevice({QStringLiteral("iteration"), QStringLiteral("author"),
                              QStringLiteral("verdict"), QStringLiteral("reward"),
                              QStringLiteral("over eager"), QString(), QStringLiteral("note")},
                             QStringLiteral("device")));
    const BestOf bestOnes = bestOf(records);
    const int best = bestOnes.number;
    for (const TreeRow &row : treeRows(records, current)) {
        const IterationRecord &record = records[static_cast<std::size_t>(row.index)];
        const int number = record.iteration.number;
        QStringList marks;
        if (number == best)
            marks << QStringLiteral("best, %1").arg(paceText(*record.latest));
        if (number == current)
            marks << (isEdited ? QStringLiteral("edited since") : QStringLiteral("current"));
        table.row(
            withDevice({row.branch + QString::number(number), printable(authorText(record.iteration.author)),
                        verdictWord(record.latest), rewardText(record.latest), speedUpText(record.latest),
                        marks.join(QStringLiteral(", ")),
                        printable(record.problem.isEmpty() ? noteOf(record) : record.problem)},
                       record.latest ? printable(record.latest->device) : QString()),
            number == current                                            ? Ink::Strong
            : record.latest && inkOf(record.latest->verdict) == Ink::Bad ? Ink::Bad
                                                                         : Ink::Plain);
    }
    QString text = table.text(terminal, 2);
    const auto addLine = [&text, &terminal](const QString &line) {
        text += QStringLiteral("  ") + wrapped(line, terminal.columns - 2, 2) + QLatin1Char('\n');
    };
    if (devices.size() == 1)
        addLine(QStringLiteral("checked on %1").arg(printable(devices.first())));
    if (isEdited)
        addLine(
            QStringLiteral("edited since: the text on disk was made from iteration %1 and is another now; "
                           "wright check makes it an iteration")
                .arg(current));
    if (best > 0)
        text +=
            QStringLiteral("\n  ") +
            wrapped(QStringLiteral("best: %1. %2").arg(whatBestMeans(), notToldApartText(bestOnes)).trimmed(),
                    terminal.columns - 2, 2) +
            QLatin1Char('\n');
    if (std::any_of(records.begin(), records.end(), [](const IterationRecord &record) {
            return record.latest && record.latest->unexercised && record.latest->unexercised->isKept;
        }))
        text +=
            QStringLiteral("  not exercised: nothing of the change ran on the device; verdict and reward are "
                           "those of the iteration that it repeats\n");
    return text;
}

QString runsText(const std::vector<IndexedRun> &runs, const Terminal &terminal) {
    if (runs.empty())
        return {};
    TextTable table({3, 4, 5});
    table.heading({QStringLiteral("run"), QStringLiteral("agent"), QStringLiteral("mode"),
                   QStringLiteral("events"), QStringLiteral("proposals"), QStringLiteral("iterations"),
                   QString()});
    for (const IndexedRun &run : runs)
        table.row({run.run, printable(run.agent), run.mode, QString::number(run.events),
                   QString::number(run.proposals), QString::number(run.iterations),
                   run.ending.isEmpty() ? QStringLiteral("not ended") : printable(run.ending)});
    return QLatin1Char('\n') + table.text(terminal, 2);
}

// A recording comes without a history: what its run made is in the run's own record.
QString elsewhereText(const IterationSource &source, const std::vector<IndexedRun> &runs,
                      const Terminal &terminal) {
    if (source.isRun())
        return {};
    QString text;
    for (const IndexedRun &run : runs)
        if (run.iterations > static_cast<int>(source.records.size()))
            text +=
                QLatin1Char('\n') +
                wrapped(QStringLiteral("%1 of the run %2 are not in this history: wright log %3 lists them, "
                                       "wright show and wright compare take that folder, too.")
                            .arg(countText(run.iterations, QStringLiteral("iteration")), run.run,
                                 printable(QFileInfo(trajectoryFile(runsFolder(source.state) +
                                                                    QLatin1Char('/') + run.run))
                                               .path())),
                        terminal.columns, 0) +
                QLatin1Char('\n');
    return text;
}

int runLog(const CommandContext &context, const LogOptions &asked) {
    const Result<IterationSource> found = iterationSource(asked.path, context.folders, {});
    if (!found.hasValue())
        return refuse(context, found.message());
    const IterationSource &source = found.value();
    const std::vector<IterationRecord> &records = source.records;
    Result<RunIndex> opened = RunIndex::open(source.state);
    if (!opened.hasValue())
        return refuse(context, opened.message());
    RunIndex index = std::move(opened).value();
    Result<std::vector<IndexedRun>> indexed = index.runs();
    if (!indexed.hasValue())
        return refuse(context, indexed.message());
    std::vector<IndexedRun> runs = std::move(indexed).value();
    if (source.isRun()) // the record that was named, of those that lie beside it
        std::erase_if(runs, [&source](const IndexedRun &run) { return run.run != source.run; });
    if (!index.notice().isEmpty())
        print(STDERR_FILENO, printable(index.notice()) + QLatin1Char('\n'));

    const int current = source.isRun() ? 0 : IterationStore(source.state).current();
    const std::optional<bool> isEdited =
        source.workspace ? isTextEdited(*source.workspace, records, current) : std::nullopt;
    if (context.asksJson) {
        OrderedJson iterations = OrderedJson::array();
        for (const IterationRecord &record : records)
            iterations.push_back(iterationToJson(record));
        OrderedJson all = OrderedJson::array();
        for (const IndexedRun &run : runs)
            all.push_back(runToJson(run));
        const OrderedJson document{{"schema", "warpwright.log/1"},
                                   {"program", toJson(programVersion())},
                                   {"workspace", toJson(source.place)},
                                   {"current", current},
                                   {"isTextEdited", isEdited ? OrderedJson(*isEdited) : OrderedJson()},
                                   {"best", bestIteration(records)},
                                   {"iterations", std::move(iterations)},
                                   {"runs", std::move(all)}};
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(document, 2)) + QLatin1Char('\n'));
        return 0;
    }
    print(STDOUT_FILENO,
          QStringLiteral("%1   %2\n")
                  .arg(inked(context.output, Ink::Strong, printable(source.name)),
                       countText(static_cast<qsizetype>(records.size()), QStringLiteral("iteration"))) +
              treeText(records, current, isEdited.value_or(false), context.output) +
              runsText(runs, context.output) + elsewhereText(source, runs, context.output));
    return 0;
}

} // namespace

Command logCommand() {
    return commandWith("log", "The tree of a workspace's iterations, and its runs", runLog);
}

} // namespace warpwright
