// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/report_page.h"

#include "toolchain/base/figures.h"
#include "toolchain/history/iteration_words.h"
#include "toolchain/report_page/page_style.h"
#include "toolchain/report_page/sections.h"

#include <algorithm>
#include <iterator>

namespace warpwright {
namespace {

constexpr std::size_t mostIterations = 1000;

struct Part {
    const char *id;
    const char *title;
    void (*write)(Markup &, const ReportedText &);
};

constexpr Part parts[] = {
    {"asked", "Asked", writeAsked},          {"verdict", "Verdict", writeVerdict},
    {"times", "Times", writeTimes},          {"tried", "Tried", writeTried},
    {"roofline", "Roofline", writeRoofline}, {"timeline", "Timeline", writeTimeline},
    {"findings", "Findings", writeFindings}, {"counters", "Counters", writeCounters},
    {"sources", "Sources", writeSources},    {"environment", "Environment", writeEnvironment},
};

/// Of a run that is told, its proposals come before the text that it came to.
std::vector<Part> partsOf(const ReportInput &input) {
    std::vector<Part> all(std::begin(parts), std::end(parts));
    if (!input.run.isEmpty()) {
        const auto tried =
            std::find_if(all.begin(), all.end(), [](const Part &part) { return part.write == writeTried; });
        std::rotate(all.begin() + 1, tried, tried + 1);
    }
    if (input.lesson)
        all.insert(all.begin() + 1, {"lesson", "Lesson", writeLesson});
    return all;
}

QString titleOf(const ReportedText &of) {
    if (!of.input.run.isEmpty()) {
        const std::size_t proposals = of.input.runs.empty() ? 0 : of.input.runs.front().proposals.size();
        return QStringLiteral("%1, run %2: %3")
            .arg(of.input.workspace, of.input.run,
                 countText(static_cast<qsizetype>(proposals), QStringLiteral("proposal")));
    }
    const QString which = of.input.iteration > 0 ? QStringLiteral("iteration %1").arg(of.input.iteration)
                                                 : QStringLiteral("the text on disk");
    const QString verdict = of.evaluation()                   ? verdictWord(summaryOf(*of.evaluation()))
                            : of.input.damagedCheck.isEmpty() ? QStringLiteral("not checked")
                                                              : QStringLiteral("its check is damaged");
    return QStringLiteral("%1, %2: %3").arg(of.input.workspace, which, verdict);
}

void writeHead(Markup &page, const QString &title, const QString &style) {
    page.begin("head");
    page.mark("meta", {{"charset", "utf-8"}});
    page.mark("meta",
              {{"http-equiv", "Content-Security-Policy"}, {"content", contentPolicy(style, pageScript())}});
    page.mark("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    page.mark("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
    page.add("title", title);
    page.addWhole("style", style);
    page.end();
}

/// Whose verdict, times and sources the page of a run tells: of its last iteration, if no other was asked
/// for.
QString textOfRunWords(const ReportInput &input) {
    const std::vector<int> made = input.runs.empty() ? std::vector<int>() : input.runs.front().iterations;
    if (input.iteration == 0)
        return QStringLiteral(
            "The run made no iteration: verdict, times and sources are of the text on disk.");
    const QString words =
        QStringLiteral("Verdict, times and sources are of iteration %1").arg(input.iteration);
    if (made.empty())
        return words + QStringLiteral(", which the run began with: it made none.");
    return words + (made.back() == input.iteration
                        ? QStringLiteral(", the last that the run made.")
                        : QStringLiteral("; the last that the run made is iteration %1.").arg(made.back()));
}

} // namespace

Result<QByteArray> reportPage(const ReportInput &input, const QByteArray &tokens) {
    const Result<QString> style = pageStyle(tokens);
    if (!style.hasValue())
        return Result<QByteArray>::error(style.message());
    ReportedText of{input, std::nullopt, shownIterations(input.iterations, input.iteration, mostIterations)};
    if (input.known.evaluation)
        of.figures = measuredFigures(*input.known.evaluation);
    const QString title = titleOf(of);
    QByteArray bytes;
    Markup page(bytes);
    page.nameFolder(input.folder, input.workspace);
    if (of.evaluation())
        page.nameFolder(stringIn(of.evaluation()->workspace, "folder"), input.workspace);
    page.beginDocument();
    page.begin("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
    writeHead(page, title, style.value());
    page.begin("body");
    page.begin("main");
    page.begin("header");
    page.add("h1", title);
    if (input.isOnDisk && input.iteration > 0)
        page.paragraph(QStringLiteral("It is the text on disk."), "faint");
    if (!input.run.isEmpty())
        page.paragraph(textOfRunWords(input), "faint");
    page.begin("nav");
    const std::vector<Part> shown = partsOf(input);
    for (const Part &part : shown)
        page.add("a", {{"href", QLatin1Char('#') + QLatin1String(part.id)}}, QLatin1String(part.title));
    page.end();
    page.end();
    for (const Part &part : shown)
        part.write(page, of);
    page.begin("footer");
    page.add(
        "p", {{"class", "faint"}, {"id", "made"}},
        QStringLiteral("Made by %1, %2.")
            .arg(input.program, input.madeAt.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'"))));
    page.end();
    page.end();
    page.addWhole("script", pageScript());
    page.end();
    page.end();
    Q_ASSERT(page.isWellFormed());
    return Result<QByteArray>::ok(bytes);
}

} // namespace warpwright
