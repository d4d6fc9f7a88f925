// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/ceiling_doubt.h"
#include "toolchain/evaluation/trust_badge.h"
#include "toolchain/history/iteration_words.h"
#include "toolchain/report/evaluation_report.h"
#include "toolchain/report/stage_notes.h"
#include "toolchain/report_page/charts.h"
#include "toolchain/report_page/sections.h"
#include "toolchain/tool_output/compiler_diagnostics.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::size_t mostDiagnostics = 20;
constexpr std::size_t mostWorst = 10;
constexpr std::size_t mostMaps = 6;
constexpr qsizetype longestDetail = 20000;

/// Sentences of the terminal's report, without its line breaks.
constexpr Terminal wholeLines{false, false, 1000000};

void addTrust(Markup &page, const MeasuredFigures &figures) {
    const TrustBadge badge = wholeTrustBadge(figures);
    if (badge.segments.empty())
        return;
    page.add("h3", QStringLiteral("How far the times can be trusted"));
    page.begin("ul");
    for (const TrustSegment &segment : badge.segments) {
        page.begin("li");
        page.add("span", {{"class", segment.isDoubted ? "word doubt" : "word"}}, segment.text);
        if (!segment.toolTip.isEmpty())
            page.text(QStringLiteral(": ") +
                      QString(segment.toolTip).replace(QLatin1Char('\n'), QLatin1Char(' ')));
        page.end();
    }
    page.end();
}

void addStages(Markup &page, const Evaluation &evaluation) {
    page.add("h3", QStringLiteral("Stages"));
    beginTable(page, {"stage", "status", "time", "what it says"}, {2});
    for (const StageNote &note : stageNotes(evaluation)) {
        page.begin("tr");
        page.add("td", note.stage);
        const Verdict like = note.status == StageStatus::Passed      ? Verdict::Pass
                             : note.status == StageStatus::Failed    ? Verdict::Wrong
                             : note.status == StageStatus::Undecided ? Verdict::Inconclusive
                                                                     : Verdict::NotRun;
        addVerdict(page, "td", like, statusName(note.status));
        addNumber(page, note.seconds ? durationText(*note.seconds) : QString(), note.seconds);
        page.add("td", note.text);
        page.end();
    }
    endTable(page);
}

void addDiagnostics(Markup &page, const std::vector<Diagnostic> &diagnostics) {
    if (diagnostics.empty())
        return;
    std::vector<const Diagnostic *> told;
    for (const Diagnostic &diagnostic : diagnostics)
        if (diagnostic.severity != Severity::Note)
            told.push_back(&diagnostic);
    const auto isError = [](const Diagnostic *one) {
        return one->severity == Severity::Error || one->severity == Severity::Fatal;
    };
    std::stable_partition(told.begin(), told.end(), isError);
    page.add("h3", QStringLiteral("What the compilers say"));
    page.begin("ul");
    for (std::size_t i = 0; i < std::min(told.size(), mostDiagnostics); ++i)
        page.add("li", QStringLiteral("%1:%2: %3: %4")
                           .arg(told[i]->file.isEmpty() ? told[i]->tool : told[i]->file,
                                QString::number(told[i]->line), severityName(told[i]->severity),
                                cutText(told[i]->message, 2000)));
    page.end();
    if (told.size() > mostDiagnostics)
        page.paragraph(QStringLiteral("%1 more are in the stored check.").arg(told.size() - mostDiagnostics),
                       "faint");
}

void addWorst(Markup &page, const VerifyFigures &verify) {
    if (verify.worst.empty() || verify.status != StageStatus::Failed)
        return;
    page.add("h3", QStringLiteral("Elements that are farthest off"));
    beginTable(page, {"output", "index", "expected", "got", "error", "allowed"}, {2, 3, 4, 5});
    const auto number = [&page](const std::optional<double> &value) {
        addNumber(page, value ? QString::number(*value, 'g', 8) : QStringLiteral("–"), value);
    };
    for (std::size_t i = 0; i < std::min(verify.worst.size(), mostWorst); ++i) {
        const WorstElement &worst = verify.worst[i];
        page.begin("tr");
        page.add("td", worst.output);
        page.add("td", worst.index);
        number(worst.expected);
        number(worst.actual);
        number(worst.error);
        number(worst.allowed);
        page.end();
    }
    endTable(page);
    page.paragraph(QStringLiteral("Error and allowed are relative to the expected values."), "faint");
}

/// Where a wrong result is wrong. A round stops the check, so that there are few.
void addFailureMaps(Markup &page, const Evaluation &evaluation) {
    const std::vector<FailureMap> maps = failureMaps(evaluation.verify);
    if (maps.empty())
        return;
    page.add("h3", QStringLiteral("Where it is wrong"));
    std::size_t drawn = 0;
    std::size_t all = 0;
    for (const FailureMap &map : maps) {
        page.paragraph(map.reason, "faint");
        for (const OutputFailure &output : map.outputs)
            if (++all; drawn < mostMaps) {
                drawFailureMap(page, output, map.round);
                ++drawn;
            }
    }
    if (drawn < all)
        page.paragraph(QStringLiteral("%1 more wrong results are not drawn.").arg(all - drawn), "faint");
}

} // namespace

void writeVerdict(Markup &page, const ReportedText &of) {
    beginSection(page, "verdict", QStringLiteral("Verdict"));
    if (!of.evaluation()) {
        const bool isDamaged = !of.input.damagedCheck.isEmpty();
        addVerdict(page, "p", Verdict::NotRun,
                   isDamaged ? QStringLiteral("its check is damaged") : QStringLiteral("not checked"),
                   "verdict");
        page.paragraph(
            isDamaged
                ? QStringLiteral("%1 Nothing below says that it is right.").arg(of.input.damagedCheck)
                : QStringLiteral("There is no check of this text: wright check makes one. Nothing below says "
                                 "that it is right."));
        page.end();
        return;
    }
    const Evaluation &evaluation = *of.evaluation();
    const EvaluationSummary summary = summaryOf(evaluation);
    const bool isNotExercised = summary.unexercised && summary.verdict == Verdict::Pass;
    QString word = verdictWord(summary);
    if (const QString factor = speedUpWords(summary); !factor.isEmpty())
        word += QStringLiteral(" · %1").arg(factor);
    addVerdict(page, "p", isNotExercised ? Verdict::NotRun : evaluation.verdict, word, "verdict");
    for (const QString &line :
         verdictText(evaluation, wholeLines).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        page.paragraph(line);
    if (!evaluation.doubts.isEmpty()) {
        page.add("h3", QStringLiteral("Doubts"));
        page.begin("ul");
        for (const QString &doubt : evaluation.doubts)
            page.add("li", {{"class", "doubt"}}, doubt);
        page.end();
    }
    addTrust(page, *of.figures);
    addStages(page, evaluation);
    addWorst(page, of.figures->verify);
    addFailureMaps(page, evaluation);
    addDiagnostics(page, evaluation.compile.diagnostics);
    if (!of.figures->findings.isEmpty()) {
        page.add("h3", QStringLiteral("What the judge saw that breaks a rule"));
        page.begin("ul");
        for (const QString &finding : of.figures->findings)
            page.add("li", cutText(finding, 2000));
        page.end();
    }
    if (!evaluation.message.detail.isEmpty()) {
        page.begin("details");
        page.add("summary", QStringLiteral("what the process printed"));
        page.addWhole("pre", cutText(evaluation.message.detail, longestDetail));
        page.end();
    }
    page.end();
}

void writeTimes(Markup &page, const ReportedText &of) {
    beginSection(page, "times", QStringLiteral("Times"));
    if (!of.figures || of.figures->arms.empty()) {
        page.paragraph(of.figures && !of.figures->reason.isEmpty()
                           ? QStringLiteral("No times were measured: %1").arg(of.figures->reason)
                           : QStringLiteral("No times were measured of this text."));
        page.end();
        return;
    }
    const MeasuredFigures headline = headlineFigures(*of.figures);
    if (headline.certificate.isOfGraph())
        page.paragraph(QStringLiteral("Many calls as one CUDA graph: only these times are certified."));
    drawSpeedUp(page, headline);
    beginTable(
        page,
        {"arm", "median", "95 % interval", "unit", "candidate is faster by", "rounds", "class", "measured"},
        {1, 2, 4, 5});
    for (const ArmFigures &arm : headline.arms) {
        page.begin("tr", {{"class", arm.isCandidate() ? "own" : "other"}});
        page.add("td", arm.label);
        addNumber(page, headline.times.number(arm.medianMicroseconds), arm.medianMicroseconds);
        addNumber(page, headline.times.interval(arm.lowMicroseconds, arm.highMicroseconds));
        page.add("td", headline.times.unit);
        const std::optional<SpeedUp> speedUp = headline.speedUpOver(arm.name);
        addNumber(page, speedUp && !arm.isCandidate()
                            ? factorText(speedUp->value, speedUp->low, speedUp->high).both()
                            : QStringLiteral("–"));
        addNumber(page, arm.samples ? numberText(*arm.samples) : QStringLiteral("–"));
        page.add("td", arm.precision);
        page.add("td", arm.isLive ? QStringLiteral("live") : arm.storedText());
        page.end();
    }
    endTable(page);
    if (const QString doubt = ceilingDoubt(headline); !doubt.isEmpty())
        page.paragraph(QStringLiteral("The speed of light of this task on this device is %1; %2.")
                           .arg(headline.times.fineText(*headline.speedOfLightMicroseconds), doubt));
    else if (const std::optional<MeasuredFigures::Share> share = headline.shareOfLight())
        page.paragraph(
            QStringLiteral("The speed of light of this task on this device is %1; the candidate reaches %2 "
                           "of it (%3–%4).")
                .arg(headline.times.fineText(*headline.speedOfLightMicroseconds), percentText(share->value),
                     percentText(share->low), percentText(share->high)));
    page.begin("details");
    page.add("summary", QStringLiteral("all that was measured, as the terminal has it"));
    page.addWhole("pre", timesText(*of.evaluation(), Terminal{false, false, 120}));
    page.end();
    page.end();
}

} // namespace warpwright
