// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/pace_text.h"
#include "toolchain/history/best_iteration.h"
#include "toolchain/history/iteration_words.h"
#include "toolchain/report_page/charts.h"
#include "toolchain/report_page/sections.h"

namespace warpwright {
namespace {

constexpr qsizetype longestNote = 400;

/// One unit for the whole column.
TimeScale scaleOf(const ReportedText &of) {
    const ArmTiming *guide = guideOf(of.input.iterations, of.shown);
    return guide == nullptr
               ? TimeScale()
               : timeScaleOf(guide->medianMicroseconds, guide->lowMicroseconds, guide->highMicroseconds);
}

void addIteration(Markup &page, const IterationRecord &record, const TimeScale &times, bool isOwn,
                  bool isBest) {
    const std::optional<EvaluationSummary> &summary = record.latest;
    page.begin("tr", {{"class", isOwn ? "own" : "other"}});
    addNumber(page, QString::number(record.iteration.number), record.iteration.number);
    addNumber(page,
              record.iteration.parent > 0 ? QString::number(record.iteration.parent) : QStringLiteral("–"),
              record.iteration.parent);
    page.add("td", authorText(record.iteration.author));
    page.add("td", cutText(noteOf(record), longestNote) + (isBest ? QStringLiteral(" (best)") : QString()));
    addVerdict(page, "td", summary);
    const bool hasTime = summary && summary->candidate;
    addNumber(page,
              hasTime ? times.withSpread(summary->candidate->medianMicroseconds,
                                         summary->candidate->lowMicroseconds,
                                         summary->candidate->highMicroseconds)
                      : QStringLiteral("–"),
              hasTime ? std::optional(summary->candidate->medianMicroseconds) : std::nullopt);
    const std::optional<SpeedUp> speedUp = summary ? listedSpeedUp(*summary) : std::nullopt;
    const QString factor = speedUpText(summary).section(QStringLiteral(" over "), 0, 0);
    addNumber(page, factor.isEmpty() ? QStringLiteral("–") : factor,
              !factor.isEmpty() && speedUp ? std::optional(speedUp->value) : std::nullopt);
    page.add("td", speedUp && !factor.isEmpty() ? armLabel(speedUp->arm) : QString());
    const QString reward = rewardText(summary);
    addNumber(page, reward.isEmpty() ? QStringLiteral("–") : reward,
              summary && summary->reward ? std::optional(static_cast<double>(*summary->reward))
                                         : std::nullopt);
    page.end();
}

/// What stands in place of a chart, which one point makes no sense of; empty: there is something to draw.
QString insteadOfChart(const ReportedText &of, const TimeScale &times) {
    if (guideOf(of.input.iterations, of.shown) == nullptr)
        return QStringLiteral("Nothing is drawn: no iteration has a time.");
    if (of.shown.places.size() > 1)
        return {};
    const ArmTiming &time = *timeOf(of.input.iterations[of.shown.places.front()]);
    return QStringLiteral("One iteration so far, %1 a call: nothing to draw before the second.")
        .arg(times.withSpread(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds));
}

/// Times of two devices are no history of one text.
void addDevices(Markup &page, const std::vector<IterationRecord> &records) {
    QStringList devices;
    for (const IterationRecord &record : records)
        if (record.latest && !record.latest->device.isEmpty() && !devices.contains(record.latest->device))
            devices << record.latest->device;
    if (devices.size() > 1)
        page.paragraph(
            QStringLiteral("Measured on several devices (%1): their times say nothing of each other.")
                .arg(devices.join(QStringLiteral(", "))),
            "doubt");
}

} // namespace

void writeTried(Markup &page, const ReportedText &of) {
    const std::vector<IterationRecord> &records = of.input.iterations;
    beginSection(page, "tried", QStringLiteral("What was tried"));
    if (records.empty()) {
        page.paragraph(QStringLiteral("There are no iterations: a check keeps one."));
    } else {
        page.paragraph(of.shown.remark, "faint");
        addDevices(page, records);
        std::optional<MeasuredFigures> headline;
        if (of.figures && !of.figures->arms.empty())
            headline = headlineFigures(*of.figures);
        const TimeScale times = scaleOf(of);
        const QString instead = insteadOfChart(of, times);
        if (instead.isEmpty())
            drawHistory(page, records, of.shown, of.input.iteration, headline ? &*headline : nullptr);
        page.paragraph(
            instead.isEmpty()
                ? QStringLiteral(
                      "Circle: playbook, script or replay; square: a person; triangle: a "
                      "model; pentagon: an agent of another program. × has no time that "
                      "counts, – was not checked, ↑ took longer than the scale shows. Filled: this "
                      "page's own; hollow and dashed: an "
                      "inconclusive check, this page's own bolder. The baselines' lines are "
                      "those of its check.")
                : instead,
            "faint");
        beginTable(
            page,
            {"iteration", "from", "by", "note", "verdict", "time of a call", "faster by", "than", "reward"},
            {0, 1, 5, 6, 8}, true);
        for (const std::size_t place : of.shown.places)
            addIteration(page, records[place], times, records[place].iteration.number == of.input.iteration,
                         static_cast<int>(place) == of.shown.best());
        endTable(page);
        if (const BestOf best = bestOf(records); best.number > 0)
            page.paragraph(
                QStringLiteral("Best: %1. %2").arg(whatBestMeans(), notToldApartText(best)).trimmed(),
                "faint");
    }
    if (of.input.runs.empty())
        page.paragraph(QStringLiteral("No agent has worked here: there are no runs."), "faint");
    for (const ReportedRun &run : of.input.runs)
        writeRun(page, run);
    page.end();
}

} // namespace warpwright
