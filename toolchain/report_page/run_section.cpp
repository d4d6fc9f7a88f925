// SPDX-License-Identifier: GPL-3.0-or-later
// One run: what was asked, and each proposal with what it changes, what came of it, and why it stayed or
// went.
#include "toolchain/base/figures.h"
#include "toolchain/report_page/charts.h"
#include "toolchain/report_page/sections.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype longestNote = 400;
constexpr qsizetype longestReason = 4000;
constexpr qsizetype longestLine = 400;
constexpr int mostAnswers = 40;
constexpr int mostMessages = 50;

void addLines(Markup &page, const QStringList &lines, const char *kind, const QString &sign, int from) {
    for (qsizetype i = 0; i < lines.size(); ++i) {
        page.begin("tr", {{"class", QLatin1String(kind)}});
        page.add("td", {{"class", "line"}}, from > 0 ? QString::number(from + i) : QString());
        page.add("td", sign + cutText(lines[i], longestLine));
        page.end();
    }
}

/// The lines that go and come, file by file.
void addChange(Markup &page, const ReportedProposal &proposal) {
    QString file;
    bool isOpen = false;
    const auto close = [&] {
        if (std::exchange(isOpen, false))
            endTable(page);
    };
    for (const ReportedHunk &hunk : proposal.hunks) {
        if (hunk.file != file || !isOpen) {
            close();
            file = hunk.file;
            page.paragraph(file, "file");
            page.begin("div", {{"class", "wide"}});
            page.begin("table", {{"class", "code"}});
            page.begin("tbody");
            isOpen = true;
        } else {
            addLines(page, {QStringLiteral("…")}, "gap", QStringLiteral("  "), 0);
        }
        addLines(page, hunk.oldLines, "went", QStringLiteral("- "), hunk.line);
        addLines(page, hunk.newLines, "came", QStringLiteral("+ "), 0);
    }
    close();
    if (proposal.linesLeftOut > 0)
        page.paragraph(QStringLiteral("%1 of its change are not shown; wright replay shows them.")
                           .arg(countText(proposal.linesLeftOut, QStringLiteral("line"))),
                       "faint");
}

void addProposal(Markup &page, const ReportedProposal &proposal, bool isWhole) {
    page.begin("details");
    page.begin("summary");
    page.text(QStringLiteral("%1: %2").arg(proposal.id, cutText(proposal.title, longestNote)));
    page.text(QStringLiteral(" — %1").arg(proposal.outcome));
    page.end();
    page.begin("dl");
    addFact(page, QStringLiteral("proposed by"), proposal.author);
    if (proposal.madeFor > 0)
        addFact(page, QStringLiteral("a change of"), QStringLiteral("iteration %1").arg(proposal.madeFor));
    if (proposal.iteration > 0)
        addFact(page, QStringLiteral("became"), QStringLiteral("iteration %1").arg(proposal.iteration));
    addFact(page, QStringLiteral("reason"), cutText(proposal.reason, longestReason));
    addFact(page, QStringLiteral("expected"), cutText(proposal.expected, longestReason));
    addFact(page, QStringLiteral("measured"),
            proposal.measured.isEmpty() ? QStringLiteral("not measured") : proposal.measured);
    addFact(page, QStringLiteral("prediction"), proposal.hit);
    if (isWhole)
        addFact(page, QStringLiteral("outcome"), proposal.outcome);
    addFact(page, QStringLiteral("why"), cutText(proposal.why, longestReason));
    page.end();
    if (!proposal.answers.isEmpty()) {
        page.begin("ul");
        for (const QString &answer : proposal.answers.mid(0, mostAnswers))
            page.add("li", cutText(answer, longestReason));
        if (proposal.answers.size() > mostAnswers)
            page.add("li", QStringLiteral("and %1 more").arg(proposal.answers.size() - mostAnswers));
        page.end();
    }
    if (isWhole)
        addChange(page, proposal);
    for (const FailureMap &map : proposal.failures)
        for (const OutputFailure &output : map.outputs)
            drawFailureMap(page, output, map.round);
    page.end();
}

/// `ending`: "stopped", "ended: the agent is done".
void addEnding(Markup &page, const QString &ending) {
    const QString word = ending.section(QStringLiteral(": "), 0, 0);
    const QString why = ending.section(QStringLiteral(": "), 1);
    if (ending.isEmpty())
        addFact(page, QStringLiteral("ended"), QStringLiteral("neither stopped nor ended"));
    else if (why.isEmpty())
        addFact(page, QStringLiteral("ended"), cutText(ending, 1000));
    else
        addFact(page, word, cutText(why, 1000));
}

} // namespace

void writeRun(Markup &page, const ReportedRun &run) {
    page.add("h3", QStringLiteral("Run %1").arg(run.id));
    page.begin("dl");
    addFact(page, QStringLiteral("agent"), run.agent);
    addFact(page, QStringLiteral("mode"), run.mode);
    addFact(page, QStringLiteral("device asked for"), run.device);
    if (run.isWhole && run.beganFrom > 0)
        addFact(page, QStringLiteral("began with"), QStringLiteral("iteration %1").arg(run.beganFrom));
    addFact(page, QStringLiteral("might use"), run.budgets);
    if (run.beganAt.isValid())
        addFact(page, QStringLiteral("began"),
                run.beganAt.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'")));
    addEnding(page, run.ending);
    page.end();
    if (!run.messages.isEmpty()) {
        page.paragraph(QStringLiteral("What the person wrote to it:"));
        page.begin("ul");
        for (const QString &message : run.messages.mid(0, mostMessages))
            page.add("li", cutText(message, longestReason));
        if (run.messages.size() > mostMessages)
            page.add("li", QStringLiteral("and %1 more").arg(run.messages.size() - mostMessages));
        page.end();
    }
    if (run.proposals.empty())
        page.paragraph(QStringLiteral("Nothing was proposed in it."), "faint");
    if (run.proposalsLeftOut > 0)
        page.paragraph(QStringLiteral("The %1 before these are not shown; wright replay tells them.")
                           .arg(countText(run.proposalsLeftOut, QStringLiteral("proposal"))),
                       "faint");
    for (const ReportedProposal &proposal : run.proposals)
        addProposal(page, proposal, run.isWhole);
}

} // namespace warpwright
