// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/tasks_report.h"

#include "app/cli/bench/use_words.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/report/text_table.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype mostWhy = 160;

Ink inkOfTask(TaskVerdict verdict) {
    switch (verdict) {
    case TaskVerdict::Pass:
        return Ink::Good;
    case TaskVerdict::Failed:
        return Ink::Bad;
    case TaskVerdict::Inconclusive:
        return Ink::Unsure;
    case TaskVerdict::Cannot:
    case TaskVerdict::NotRun:
        break;
    }
    return Ink::Faint;
}

QString shareText(const TaskShare &share) {
    return share.of > 0 ? QStringLiteral("%1 of %2").arg(share.count).arg(share.of) : QString();
}

QString meanText(const TaskMean &mean) {
    return mean.of > 0 ? factorText(mean.value) : QString();
}

QStringList rowOf(const QString &kind, const TaskSummary &summary) {
    const auto count = [&summary](TaskVerdict verdict) {
        const auto found = summary.verdicts.find(verdict);
        return found == summary.verdicts.end() ? QString() : QString::number(found->second);
    };
    return {kind,
            QString::number(summary.tasks),
            count(TaskVerdict::Pass),
            count(TaskVerdict::Inconclusive),
            count(TaskVerdict::Failed),
            count(TaskVerdict::Cannot),
            count(TaskVerdict::NotRun),
            QString::number(summary.fasterThanEager.count),
            QString::number(summary.fasterThanCompile.count),
            QString::number(summary.fasterThanSameClass.count),
            meanText(summary.eager),
            meanText(summary.compile),
            meanText(summary.sameClass),
            summary.shareOfLight.of > 0 ? percentText(summary.shareOfLight.value, 0) : QString(),
            summary.seconds.of > 0 ? durationText(summary.seconds.value) : QString()};
}

QString rateText(const QString &what, const TaskShare &share) {
    return share.of == 0
               ? QString()
               : QStringLiteral("%1: %2 (%3)\n").arg(what, percentText(share.rate()), shareText(share));
}

QString ratioText(const QString &what, const TaskMean &mean) {
    return mean.of == 0 ? QString()
                        : QStringLiteral("%1: %2, geometric mean of %3\n")
                              .arg(what, factorText(mean.value))
                              .arg(countText(mean.of, QStringLiteral("passed task")));
}

/// What models and other agents have used; the counts of some are estimated by us.
QString usedText(const TaskUse &use) {
    if (use.of == 0)
        return {};
    QString text = QStringLiteral("used by %1: %2")
                       .arg(countText(use.of, QStringLiteral("task")),
                            tokensText(use.tokensIn, use.tokensOut, use.isEstimated));
    QStringList costs;
    for (const auto &[currency, cost] : use.costs)
        costs << moneyText(cost, currency);
    if (use.unpriced > 0)
        costs << (costs.isEmpty() ? QStringLiteral("cost not known")
                                  : QStringLiteral("cost not known of %1")
                                        .arg(countText(use.unpriced, QStringLiteral("task"))));
    return text + QStringLiteral("; %1\n").arg(costs.join(QStringLiteral(", ")));
}

} // namespace

QString taskLine(const TaskResult &result, int number, int count, const Terminal &terminal) {
    QStringList facts;
    for (const auto &[speedUp, what] :
         {std::pair(result.eager, "eager"), std::pair(result.compile, "compile"),
          std::pair(result.sameClass, "same class")})
        if (speedUp)
            facts << QStringLiteral("%1 over %2").arg(factorText(speedUp->value), QLatin1String(what));
    if (result.shareOfLight)
        facts << QStringLiteral("%1 of the speed of light").arg(percentText(*result.shareOfLight, 0));
    if (!result.isPass())
        facts = QStringList{printable(result.why.left(mostWhy))};
    if (result.used)
        facts << useText(*result.used);
    return QStringLiteral("%1/%2 %3 (%4)  %5  %6  %7\n")
        .arg(number)
        .arg(count)
        .arg(result.name, result.kind,
             inked(terminal, inkOfTask(result.verdict), taskVerdictName(result.verdict)),
             durationText(result.seconds), facts.join(QStringLiteral(", ")));
}

QString tasksReport(const std::vector<TaskResult> &results, const Terminal &terminal) {
    if (results.empty())
        return QStringLiteral("There is no row.\n");
    TextTable table({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
    table.heading({QStringLiteral("kind"), QStringLiteral("tasks"), QStringLiteral("pass"),
                   QStringLiteral("inconcl."), QStringLiteral("failed"), QStringLiteral("cannot"),
                   QStringLiteral("not run"), QStringLiteral("> eager"), QStringLiteral("> compile"),
                   QStringLiteral("> class"), QStringLiteral("eager"), QStringLiteral("compile"),
                   QStringLiteral("class"), QStringLiteral("of light"), QStringLiteral("a task")});
    for (const auto &[kind, summary] : summariesByKind(results))
        table.row(rowOf(kind, summary));
    const TaskSummary all = summaryOf(results);
    table.row(rowOf(QStringLiteral("all"), all), Ink::Strong);
    QString text = table.text(terminal, 0) + QLatin1Char('\n');
    text += rateText(QStringLiteral("passed"), all.passed);
    text += rateText(QStringLiteral("passed, of those with a kernel family"), all.passedOfPlanned);
    text += rateText(QStringLiteral("faster than eager beyond the interval"), all.fasterThanEager);
    text += rateText(QStringLiteral("faster than torch.compile as it comes"), all.fasterThanCompile);
    text += rateText(QStringLiteral("faster than the best baseline of the same precision"),
                     all.fasterThanSameClass);
    text += ratioText(QStringLiteral("over eager"), all.eager);
    text += ratioText(QStringLiteral("over torch.compile as it comes"), all.compile);
    text += ratioText(QStringLiteral("over the best baseline of the same precision"), all.sameClass);
    text += QStringLiteral("time: %1 in all, %2 a task (median)\n")
                .arg(durationText(all.totalSeconds), durationText(all.seconds.value));
    text += usedText(all.used);
    // No list says less of who loses than of who wins.
    QStringList slower;
    for (const TaskResult &result : results)
        if (const auto better = overTheBetter(result.eager, result.compile);
            result.isPass() && isMuchSlower(better))
            slower << QStringLiteral("%1 %2").arg(result.name, factorText(better->value));
    if (!slower.isEmpty())
        text += QStringLiteral("slower than the better of eager and torch.compile by more than 20 %: %1\n")
                    .arg(slower.join(QStringLiteral(", ")));
    for (const TaskVerdict verdict : taskVerdicts)
        for (const TaskResult &result : results)
            if (result.verdict == verdict && !result.isPass())
                text += QStringLiteral("%1 %2: %3\n")
                            .arg(inked(terminal, inkOfTask(verdict), taskVerdictName(verdict)), result.name,
                                 printable(result.why.left(mostWhy)));
    return text;
}

OrderedJson tasksDocument(const std::vector<TaskResult> &results, const QString &programVersion) {
    OrderedJson tasks = OrderedJson::array();
    for (const TaskResult &result : results)
        tasks.push_back(taskResultToJson(result));
    OrderedJson kinds = OrderedJson::object();
    for (const auto &[kind, summary] : summariesByKind(results))
        kinds[kind.toStdString()] = taskSummaryToJson(summary);
    OrderedJson summary = taskSummaryToJson(summaryOf(results));
    summary["kinds"] = kinds;
    return {{"format", "warpwright.tasks/1"},
            {"program", toJson(programVersion)},
            {"tasks", tasks},
            {"summary", summary}};
}

} // namespace warpwright
