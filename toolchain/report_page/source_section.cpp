// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/heat/heat.h"
#include "toolchain/report_page/sections.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostReasons = 3;
constexpr qsizetype mostLinesOfAll = 12000;
constexpr qsizetype mostBytesOfAll = 1024 * 1024;

std::map<int, std::pair<double, QString>> heatIn(const Heat &heat, const QString &file) {
    std::map<int, std::pair<double, QString>> lines;
    for (const HeatLine &line : heat.lines) {
        if (line.file != file || !(line.counts.samples > 0))
            continue;
        QStringList words{QStringLiteral("%1 samples").arg(numberText(line.counts.samples))};
        words << stallTexts(line.counts, mostReasons);
        lines[line.line] = {line.share, words.join(QStringLiteral("; "))};
    }
    return lines;
}

void sayWhatTheHeatIs(Markup &page, const ReportedText &of, const Heat &heat) {
    if (!of.input.known.counters) {
        page.paragraph(
            of.input.damagedCounters.isEmpty()
                ? QStringLiteral("No line has its cost beside it: no counters of this very text are stored.")
                : QStringLiteral("No line has its cost beside it: the counters of this text are damaged."),
            "faint");
        page.paragraph(of.input.otherCounters.isEmpty()
                           ? QString()
                           : QStringLiteral("%1 The samples of another text are not drawn on this one.")
                                 .arg(of.input.otherCounters),
                       "faint");
        return;
    }
    if (heat.isEmpty()) {
        page.paragraph(
            QStringLiteral("No line has its cost beside it: the counters of this text hold no samples of "
                           "its kernels."),
            "faint");
        return;
    }
    page.paragraph(
        QStringLiteral("Beside a line: its share of the time that was sampled, by %1 samples of warps that "
                       "the counters of this very text hold, each weighed with its launch's time; %2 of the "
                       "samples lie in no line of these files.")
            .arg(numberText(heat.samples), percentText(1 - heat.charged / heat.samples)),
        "faint");
    for (const QString &problem : heat.problems)
        page.paragraph(problem, "faint");
}

} // namespace

void writeSources(Markup &page, const ReportedText &of) {
    beginSection(page, "sources", QStringLiteral("Sources"));
    const CandidateTexts &texts = of.input.known.texts;
    Heat heat;
    if (of.input.known.counters)
        heat = heatOf(*of.input.known.counters,
                      of.input.known.inspection ? &*of.input.known.inspection : nullptr, texts);
    sayWhatTheHeatIs(page, of, heat);
    qsizetype written = 0;
    qsizetype bytes = 0;
    bool hasSome = false;
    for (const auto &[path, text] : texts) {
        if (!isCandidatePath(path) && path.endsWith(QLatin1String(".py")))
            continue; // the reference, which stands where the task is told
        if (path.startsWith(QLatin1Char('.')))
            continue; // the task's settings
        hasSome = true;
        const std::map<int, std::pair<double, QString>> lines = heatIn(heat, path);
        page.begin("details", {{"open", "open"}});
        page.add("summary", path);
        if (bytes + text.size() > mostBytesOfAll || written >= mostLinesOfAll) {
            page.paragraph(QStringLiteral("%1: not shown, so that the page stays small.")
                               .arg(bytesText(static_cast<double>(text.size()))),
                           "faint");
        } else {
            addCode(page, text, mostLinesOfAll - written, lines.empty() ? nullptr : &lines);
            written += text.count('\n') + 1;
            bytes += text.size();
        }
        page.end();
    }
    if (!hasSome)
        page.paragraph(QStringLiteral("There is no candidate's text."));
    page.end();
}

} // namespace warpwright
