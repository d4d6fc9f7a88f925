// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/figures.h"
#include "toolchain/report_page/line_samples.h"
#include "toolchain/report_page/sections.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype mostLinesOfAll = 12000;
constexpr qsizetype mostBytesOfAll = 1024 * 1024;

std::map<int, std::pair<double, QString>> heatOf(const std::map<int, LineSamples> &lines) {
    std::map<int, std::pair<double, QString>> heat;
    for (const auto &[line, found] : lines)
        if (found.samples > 0)
            heat[line] = {found.share,
                          QStringLiteral("%1 samples%2")
                              .arg(numberText(found.samples),
                                   found.topStall.isEmpty()
                                       ? QString()
                                       : QStringLiteral("; most of them: ") + stallWords(found.topStall))};
    return heat;
}

void sayWhatTheHeatIs(Markup &page, const ReportedText &of, const SamplesByLine &samples) {
    if (!of.input.known.counters) {
        page.paragraph(
            QStringLiteral("No line has its cost beside it: no counters of this very text are stored."),
            "faint");
        page.paragraph(of.input.otherCounters.isEmpty()
                           ? QString()
                           : QStringLiteral("%1 The samples of another text are not drawn on this one.")
                                 .arg(of.input.otherCounters),
                       "faint");
        return;
    }
    if (!(samples.all > 0)) { // none, or no number
        page.paragraph(
            QStringLiteral("No line has its cost beside it: the counters of this text hold no samples of "
                           "its kernels."),
            "faint");
        return;
    }
    page.paragraph(
        QStringLiteral("Beside a line: its share of the %1 samples of warps that the counters of this very "
                       "text hold; %2 of them lie in no line of these files.")
            .arg(numberText(samples.all), percentText(samples.elsewhere / samples.all)),
        "faint");
}

} // namespace

void writeSources(Markup &page, const ReportedText &of) {
    beginSection(page, "sources", QStringLiteral("Sources"));
    const CandidateTexts &texts = of.input.known.texts;
    SamplesByLine samples;
    if (of.input.known.counters)
        samples = samplesByLine(*of.input.known.counters, texts);
    sayWhatTheHeatIs(page, of, samples);
    qsizetype lines = 0;
    qsizetype bytes = 0;
    bool hasSome = false;
    for (const auto &[path, text] : texts) {
        if (!isCandidatePath(path) && path.endsWith(QLatin1String(".py")))
            continue; // the reference, which stands where the task is told
        if (path.startsWith(QLatin1Char('.')))
            continue; // the task's settings
        hasSome = true;
        const auto found = samples.files.find(path);
        const std::map<int, std::pair<double, QString>> heat =
            found == samples.files.end() ? std::map<int, std::pair<double, QString>>()
                                         : heatOf(found->second);
        page.begin("details", {{"open", "open"}});
        page.add("summary", path);
        if (bytes + text.size() > mostBytesOfAll || lines >= mostLinesOfAll) {
            page.paragraph(QStringLiteral("%1: not shown, so that the page stays small.")
                               .arg(bytesText(static_cast<double>(text.size()))),
                           "faint");
        } else {
            addCode(page, text, mostLinesOfAll - lines, heat.empty() ? nullptr : &heat);
            lines += text.count('\n') + 1;
            bytes += text.size();
        }
        page.end();
    }
    if (!hasSome)
        page.paragraph(QStringLiteral("There is no candidate's text."));
    page.end();
}

} // namespace warpwright
