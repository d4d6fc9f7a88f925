// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/run_index.h"
#include "app/cli/command.h"
#include "app/cli/iteration_document.h"
#include "app/cli/iteration_tree.h"
#include "app/cli/version_text.h"
#include "toolchain/figures.h"
#include "toolchain/iteration_store.h"
#include "toolchain/pace_text.h"
#include "toolchain/report/text_table.h"
#include "toolchain/workspace.h"

#include <QDir>

#include <algorithm>

#include <unistd.h>

namespace warpwright {
namespace {

int bestOf(const std::vector<IterationRecord> &records) {
    int best = 0;
    std::optional<Pace> pace;
    for (const IterationRecord &record : records) {
        const std::optional<Pace> here = record.latest ? paceOf(*record.latest) : std::nullopt;
        if (here && (!pace || isFaster(*here, *pace))) {
            pace = here;
            best = record.iteration.number;
        }
    }
    return best;
}

QString treeText(const std::vector<IterationRecord> &records, int current, const Terminal &terminal) {
    if (records.empty())
        return QStringLiteral("No iterations yet. Run wright check.\n");
    TextTable table;
    table.heading({QStringLiteral("iteration"), QStringLiteral("author"), QStringLiteral("verdict"),
                   QStringLiteral("reward"), QStringLiteral("speed-up"), QString(), QStringLiteral("note")});
    const int best = bestOf(records);
    for (const TreeRow &row : treeRows(records, current)) {
        const IterationRecord &record = records[static_cast<std::size_t>(row.index)];
        const int number = record.iteration.number;
        QStringList marks;
        if (number == best)
            marks << QStringLiteral("best, %1").arg(paceText(*record.latest));
        if (number == current)
            marks << QStringLiteral("current");
        table.row({row.branch + QString::number(number), printable(authorText(record.iteration.author)),
                   verdictWord(record.latest), rewardText(record.latest), speedUpText(record.latest),
                   marks.join(QStringLiteral(", ")),
                   printable(record.problem.isEmpty() ? noteOf(record) : record.problem)},
                  number == current                                            ? Ink::Strong
                  : record.latest && inkOf(record.latest->verdict) == Ink::Bad ? Ink::Bad
                                                                               : Ink::Plain);
    }
    QString text = table.text(terminal, 2);
    if (best > 0)
        text += QStringLiteral("\n  ") +
                wrapped(QStringLiteral("best: %1.").arg(whatBestMeans()), terminal.columns - 2, 2) +
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

} // namespace

int runLog(const CommandContext &context) {
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(context.line.path), context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    const IterationStore store(workspace.value().state);
    const Result<std::vector<IterationRecord>> records = store.list();
    if (!records.hasValue())
        return refuse(context, records.message());
    Result<RunIndex> opened = RunIndex::open(workspace.value().state);
    if (!opened.hasValue())
        return refuse(context, opened.message());
    RunIndex index = std::move(opened).value();
    const Result<std::vector<IndexedRun>> runs = index.runs();
    if (!runs.hasValue())
        return refuse(context, runs.message());
    if (!index.notice().isEmpty())
        print(STDERR_FILENO, printable(index.notice()) + QLatin1Char('\n'));

    if (context.line.asksJson) {
        OrderedJson iterations = OrderedJson::array();
        for (const IterationRecord &record : records.value())
            iterations.push_back(iterationToJson(record));
        OrderedJson all = OrderedJson::array();
        for (const IndexedRun &run : runs.value())
            all.push_back(runToJson(run));
        const OrderedJson document{{"schema", "warpwright.log/1"},
                                   {"program", toJson(programVersion())},
                                   {"workspace", toJson(workspace.value().folder)},
                                   {"current", store.current()},
                                   {"best", bestOf(records.value())},
                                   {"iterations", std::move(iterations)},
                                   {"runs", std::move(all)}};
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(document, 2)) + QLatin1Char('\n'));
        return 0;
    }
    print(STDOUT_FILENO, QStringLiteral("%1   %2\n")
                                 .arg(inked(context.output, Ink::Strong, printable(workspace.value().name)),
                                      countText(static_cast<qsizetype>(records.value().size()),
                                                QStringLiteral("iteration"))) +
                             treeText(records.value(), store.current(), context.output) +
                             runsText(runs.value(), context.output));
    return 0;
}

} // namespace warpwright
