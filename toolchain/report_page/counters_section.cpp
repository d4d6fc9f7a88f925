// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/heat/heat.h"
#include "toolchain/report/counters_report.h"
#include "toolchain/report_page/charts.h"
#include "toolchain/report_page/sections.h"

#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostLaunches = 6;
constexpr std::size_t mostLines = 12;
constexpr std::size_t mostInstructions = 16;
constexpr std::size_t mostRules = 4;

QString placeOf(const CandidateTexts &texts, const QString &file, int line) {
    if (line <= 0)
        return QStringLiteral("no line");
    const QString path = workspacePathOf(texts, file);
    return QStringLiteral("%1:%2").arg(path.isEmpty() ? QFileInfo(file).fileName() : path,
                                       QString::number(line));
}

void addFigures(Markup &page, const KernelCounters &kernel) {
    page.begin("dl");
    for (const LaunchFigure &figure : launchFigures(kernel))
        addFact(page, figure.name, figure.value ? figure.text : QStringLiteral("not collected"));
    page.end();
}

QString ratioText(double value, double ideal) {
    return ideal > 0 ? factorText(value / ideal) : QStringLiteral("–");
}

void beginLines(Markup &page, const QString &whose) {
    page.add("h3", QStringLiteral("Hottest lines, by warp samples"));
    page.paragraph(whose, "faint");
    beginTable(page,
               {"samples", "of the kernel's", "line", "top stall", "sectors / ideal", "wavefronts / ideal"},
               {0, 1, 4, 5});
}

/// As the report names them: of what is inlined from a header, the header's.
void addLinesOfReport(Markup &page, const KernelCounters &kernel, const CandidateTexts &texts) {
    const std::vector<HotLine> lines = hotLines(kernel);
    if (lines.empty() || lines.front().samples <= 0)
        return;
    beginLines(page, QStringLiteral("The lines are those that Nsight Compute names."));
    for (std::size_t i = 0; i < std::min(lines.size(), mostLines) && lines[i].samples > 0; ++i) {
        page.begin("tr");
        addNumber(page, numberText(lines[i].samples), lines[i].samples);
        addNumber(page, percentText(lines[i].share), lines[i].share);
        page.add("td", placeOf(texts, lines[i].file, lines[i].line));
        page.add("td", stallWords(lines[i].topStall));
        addNumber(page, ratioText(lines[i].sectors, lines[i].sectorsIdeal));
        addNumber(page, ratioText(lines[i].wavefronts, lines[i].wavefrontsIdeal));
        page.end();
    }
    endTable(page);
}

QString ratioText(const std::optional<double> &ratio) {
    return ratio ? factorText(*ratio) : QStringLiteral("–");
}

/// The same lines as beside the sources, of this launch alone.
void addLines(Markup &page, const KernelCounters &kernel, const FindingInput &known) {
    const Heat heat = heatOf(*known.counters, known.inspection ? &*known.inspection : nullptr, known.texts,
                             {{}, kernel.launch});
    if (heat.lines.empty() || !(heat.lines.front().counts.samples > 0)) {
        addLinesOfReport(page, kernel, known.texts);
        return;
    }
    beginLines(page, QStringLiteral("The lines are those of the margin of Sources, %1.")
                         .arg(heat.kernels.front().basis == HeatBasis::Listing
                                  ? QStringLiteral("by the compiler's listing")
                                  : QStringLiteral("by the report alone")));
    for (std::size_t i = 0; i < std::min(heat.lines.size(), mostLines); ++i) {
        const HeatLine &line = heat.lines[i];
        if (!(line.counts.samples > 0))
            break;
        page.begin("tr");
        addNumber(page, numberText(line.counts.samples), line.counts.samples);
        addNumber(page, percentText(line.share), line.share);
        page.add("td", QStringLiteral("%1:%2").arg(line.file).arg(line.line));
        page.add("td", stallWords(line.counts.topStall()));
        addNumber(page, ratioText(line.counts.sectorsRatio()));
        addNumber(page, ratioText(line.counts.wavefrontsRatio()));
        page.end();
    }
    endTable(page);
}

/// The reason with the most samples at an instruction.
QString topStallOf(const InstructionCounters &instruction) {
    QString reason;
    double most = 0;
    for (const auto &[name, value] : instruction.values)
        if (name.startsWith(QLatin1String("stall.")) && value > most) {
            most = value;
            reason = name.mid(6);
        }
    return reason.isEmpty() ? QString() : stallWords(reason);
}

void addInstructions(Markup &page, const KernelCounters &kernel, const CandidateTexts &texts) {
    const QString samples = QStringLiteral("samples");
    double all = 0;
    std::vector<const InstructionCounters *> hot;
    for (const InstructionCounters &instruction : kernel.instructions) {
        all += instruction.value(samples);
        if (instruction.value(samples) > 0 && !instruction.text.isEmpty())
            hot.push_back(&instruction);
    }
    if (hot.empty())
        return;
    std::stable_sort(hot.begin(), hot.end(), [&samples](const auto *one, const auto *other) {
        return one->value(samples) > other->value(samples);
    });
    page.add("h3", QStringLiteral("Hottest instructions (SASS)"));
    beginTable(page, {"samples", "of the kernel's", "address", "instruction", "line", "top stall"},
               {0, 1, 2});
    for (std::size_t i = 0; i < std::min(hot.size(), mostInstructions); ++i) {
        page.begin("tr");
        addNumber(page, numberText(hot[i]->value(samples)), hot[i]->value(samples));
        addNumber(page, percentText(hot[i]->value(samples) / all), hot[i]->value(samples) / all);
        addNumber(page, QStringLiteral("0x%1").arg(hot[i]->address, 0, 16),
                  static_cast<double>(hot[i]->address));
        page.begin("td");
        page.add("code", cutText(hot[i]->text, 400));
        page.end();
        page.add("td", placeOf(texts, hot[i]->file, hot[i]->line));
        page.add("td", topStallOf(*hot[i]));
        page.end();
    }
    endTable(page);
}

void addRules(Markup &page, const KernelCounters &kernel) {
    std::vector<const CounterRule *> rules;
    for (const CounterRule &rule : kernel.rules)
        if (rule.speedupPercent && *rule.speedupPercent >= 5)
            rules.push_back(&rule);
    if (rules.empty())
        return;
    std::stable_sort(rules.begin(), rules.end(), [](const CounterRule *one, const CounterRule *other) {
        return *one->speedupPercent > *other->speedupPercent;
    });
    page.add("h3", QStringLiteral("What Nsight Compute's own rules say (their estimates overlap)"));
    page.begin("ul");
    for (std::size_t i = 0; i < std::min(rules.size(), mostRules); ++i)
        page.add("li",
                 QStringLiteral("%1, %2 %3: %4")
                     .arg(rules[i]->name,
                          rules[i]->isGlobal ? QStringLiteral("est. speedup")
                                             : QStringLiteral("est. local speedup"),
                          percentText(*rules[i]->speedupPercent / 100, 0), cutText(rules[i]->message, 2000)));
    page.end();
}

} // namespace

void writeCounters(Markup &page, const ReportedText &of) {
    beginSection(page, "counters", QStringLiteral("Counters"));
    if (!of.input.known.counters) {
        page.paragraph(
            of.input.damagedCounters.isEmpty()
                ? QStringLiteral(
                      "No counters of this text are stored: wright counters collects them on a GPU.")
                : of.input.damagedCounters);
        page.paragraph(of.input.otherCounters, "doubt");
        page.end();
        return;
    }
    const Counters &counters = *of.input.known.counters;
    page.begin("dl");
    addFact(page, QStringLiteral("device"), counters.device);
    addFact(page, QStringLiteral("collected by"), counters.tool);
    addFact(page, QStringLiteral("set"), counters.set);
    if (counters.at.isValid())
        addFact(page, QStringLiteral("at"),
                counters.at.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'")));
    page.end();
    page.paragraph(
        QStringLiteral("One measurement each, without spread; times under the profiler, with its clocks "
                       "and a flushed cache, are no times of a check."),
        "faint");
    std::vector<const KernelCounters *> kernels = counters.kernelsOf(QStringLiteral("candidate"));
    if (kernels.empty())
        page.paragraph(QStringLiteral("None of them is of a kernel of the candidate."));
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const KernelCounters *one, const KernelCounters *other) {
                         return one->microseconds().value_or(0) > other->microseconds().value_or(0);
                     });
    if (kernels.size() > mostLaunches)
        page.paragraph(QStringLiteral("The %1 longest of %2 launches.").arg(mostLaunches).arg(kernels.size()),
                       "faint");
    for (std::size_t i = 0; i < std::min(kernels.size(), mostLaunches); ++i) {
        page.begin("details", {{"open", "open"}});
        page.add("summary", cutText(launchTitle(*kernels[i]), 400));
        addFigures(page, *kernels[i]);
        drawStalls(page, *kernels[i]);
        addLines(page, *kernels[i], of.input.known);
        addInstructions(page, *kernels[i], of.input.known.texts);
        addRules(page, *kernels[i]);
        page.end();
    }
    for (const QString &problem : counters.problems)
        page.paragraph(problem, "doubt");
    page.end();
}

} // namespace warpwright
