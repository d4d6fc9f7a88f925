// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/counters_report.h"

#include "toolchain/base/figures.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/counters/kernel_sums.h"
#include "toolchain/report/text_table.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

const QString missing = QStringLiteral("–");
constexpr std::size_t mostInFull = 8;   // launches of an arm, and kernels of one with more
constexpr std::size_t mostKernels = 40; // in a table
constexpr qsizetype longestName = 48;

QString percent(const std::optional<double> &value) {
    return value ? percentText(*value / 100) : missing;
}

QString sizesText(const std::array<int, 3> &sizes) {
    QStringList words;
    for (int size : sizes)
        words << numberText(size);
    while (words.size() > 1 && words.last() == QLatin1String("1"))
        words.removeLast();
    return words.join(QStringLiteral(" × "));
}

QString placeText(const QString &file, int line, const QString &workspace) {
    if (line == 0)
        return QStringLiteral("no line");
    const QString relative = QDir(workspace).relativeFilePath(file);
    const bool isBelow = !workspace.isEmpty() && !relative.startsWith(QLatin1String(".."));
    return QStringLiteral("%1:%2").arg(isBelow ? relative : QFileInfo(file).fileName()).arg(line);
}

QString originText(const Counters &counters) {
    QStringList parts;
    if (!counters.device.isEmpty())
        parts << counters.device;
    if (!counters.tool.isEmpty())
        parts << counters.tool;
    if (!counters.set.isEmpty())
        parts << QStringLiteral("set %1").arg(counters.set);
    if (!counters.importedFrom.isEmpty())
        parts << QStringLiteral("imported from %1").arg(counters.importedFrom);
    else if (counters.at.isValid())
        parts << counters.at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    if (!counters.readBy.isEmpty())
        parts << QStringLiteral("read by %1").arg(counters.readBy);
    return parts.join(QStringLiteral(" · "));
}

QString stallsText(const KernelCounters &kernel) {
    QStringList words;
    for (const StallShare &stall : stallShares(kernel)) {
        if (stall.share < 0.05 || words.size() == 4)
            break;
        words << QStringLiteral("%1 %2 (%3)")
                     .arg(percentText(stall.share, 0), stallWords(stall.reason), stall.reason);
    }
    return words.join(QStringLiteral("; "));
}

void addLines(QString &text, const KernelCounters &kernel, const QString &workspace,
              const Terminal &terminal) {
    TextTable table({0, 2, 3});
    table.heading({QStringLiteral("samples"), QStringLiteral("line"), QStringLiteral("sectors / ideal"),
                   QStringLiteral("wavefronts / ideal"), QStringLiteral("top stall")});
    int shown = 0;
    for (const HotLine &line : hotLines(kernel)) {
        if (line.share < 0.02 || shown++ == 6)
            break;
        const auto ratio = [](double value, double ideal) {
            return ideal > 0 ? factorText(value / ideal) : QString();
        };
        table.row({percentText(line.share), placeText(printable(line.file), line.line, workspace),
                   ratio(line.sectors, line.sectorsIdeal), ratio(line.wavefronts, line.wavefrontsIdeal),
                   stallWords(line.topStall)});
    }
    if (shown > 0)
        text += QStringLiteral("  hottest lines, by warp samples\n") + table.text(terminal, 4) +
                inked(terminal, Ink::Faint,
                      QStringLiteral("    lines as Nsight Compute names them; wright heat goes by the "
                                     "compiler's listing")) +
                QLatin1Char('\n');
}

void addRules(QString &text, const KernelCounters &kernel, const Terminal &terminal) {
    std::vector<CounterRule> rules;
    for (const CounterRule &rule : kernel.rules)
        if (rule.speedupPercent && *rule.speedupPercent >= 5)
            rules.push_back(rule);
    if (rules.empty())
        return;
    std::stable_sort(rules.begin(), rules.end(), [](const CounterRule &one, const CounterRule &other) {
        return *one.speedupPercent > *other.speedupPercent;
    });
    text += QStringLiteral("  what Nsight Compute's own rules say (their estimates overlap)\n");
    for (std::size_t i = 0; i < std::min<std::size_t>(rules.size(), 4); ++i) {
        const CounterRule &rule = rules[i];
        const QString line =
            QStringLiteral("%1, %2 %3: %4")
                .arg(rule.name,
                     rule.isGlobal ? QStringLiteral("est. speedup") : QStringLiteral("est. local speedup"),
                     percentText(*rule.speedupPercent / 100, 0),
                     printableLine(rule.message).section(QStringLiteral(". "), 0, 0));
        text += QStringLiteral("    ") + wrapped(line, std::max(60, terminal.columns), 6) + QLatin1Char('\n');
    }
}

QString launchesText(int count) {
    return QStringLiteral("%1 %2").arg(numberText(count),
                                       count == 1 ? QStringLiteral("launch") : QStringLiteral("launches"));
}

QString sumsTable(const std::vector<KernelSum> &sums, const Terminal &terminal) {
    TextTable table({1, 2, 3, 4, 5});
    table.heading({QStringLiteral("kernel"), QStringLiteral("launches"), QStringLiteral("total"),
                   QStringLiteral("share"), QStringLiteral("median"), QStringLiteral("min – max")});
    for (std::size_t i = 0; i < std::min(sums.size(), mostKernels); ++i) {
        const KernelSum &sum = sums[i];
        const QString name = shortKernelName(sum.name);
        const TimeScale scale = timeScaleOf(sum.most);
        table.row({printableLine(name.size() > longestName ? name.left(longestName - 1) + QStringLiteral("…")
                                                           : name),
                   numberText(sum.launches), timeText(sum.total), percentText(sum.share),
                   timeText(sum.median),
                   QStringLiteral("%1 %2").arg(scale.interval(sum.least, sum.most), scale.unit)});
    }
    QString text = table.text(terminal, 2);
    if (sums.size() > mostKernels)
        text += QStringLiteral("  and %1 more kernels\n")
                    .arg(numberText(static_cast<double>(sums.size() - mostKernels)));
    return text;
}

/// The launches of an arm that are told of one by one: all, or of many the longest of each kernel.
std::vector<const KernelCounters *> toldLaunches(const Counters &counters, const QString &arm) {
    std::vector<const KernelCounters *> launches = counters.kernelsOf(arm);
    if (launches.size() <= mostInFull)
        return launches;
    std::vector<const KernelCounters *> longest;
    for (const KernelSum &sum : kernelSums(counters, arm))
        if (sum.shown != nullptr && longest.size() < mostInFull)
            longest.push_back(sum.shown);
    return longest;
}

/// What is not here, in the order of its weight.
QStringList shortfalls(const Counters &counters, const QString &advice) {
    QStringList lines = counters.problems;
    // Of documents from before problems told of it.
    const bool isTold = lines.join(QLatin1Char(' ')).contains(QLatin1String("In full:"));
    if (counters.hasSelectedMetrics && !isTold)
        lines.prepend(QStringLiteral(
            "Of so many launches only what Warpwright shows is here: a part of the metrics, no lines."));
    if (counters.launchesLeftOut > 0 && counters.leftOut.empty())
        lines.prepend(QStringLiteral("%1 more are in the report and not here.")
                          .arg(launchesText(counters.launchesLeftOut)));
    if (!lines.isEmpty() && !advice.isEmpty())
        lines << advice;
    return lines;
}

void addLaunch(QString &text, const KernelCounters &kernel, const QString &workspace,
               const Terminal &terminal) {
    text +=
        QLatin1Char('\n') + inked(terminal, Ink::Strong, printable(launchTitle(kernel))) + QLatin1Char('\n');
    TextTable table({1, 3});
    const std::vector<LaunchFigure> figures = launchFigures(kernel);
    const std::size_t half = (figures.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i) {
        QStringList row{figures[i].name, figures[i].text};
        if (i + half < figures.size())
            row << figures[i + half].name << figures[i + half].text;
        table.row(row);
    }
    text += table.text(terminal, 2);
    if (const QString stalls = stallsText(kernel); !stalls.isEmpty())
        text += QStringLiteral("  ") +
                wrapped(QStringLiteral("warp stalls: ") + stalls, std::max(60, terminal.columns), 4) +
                QLatin1Char('\n');
    addLines(text, kernel, workspace, terminal);
    addRules(text, kernel, terminal);
}

} // namespace

std::vector<LaunchFigure> launchFigures(const KernelCounters &kernel) {
    std::vector<LaunchFigure> figures;
    const auto add = [&figures](const char *name, const std::optional<double> &value, const QString &text) {
        figures.push_back({QLatin1String(name), value, value ? text : missing});
    };
    const auto share = [&](const char *name, const char *metric) {
        const auto value = kernel.number(metric);
        add(name, value, percent(value));
    };
    const auto time = kernel.microseconds();
    add("duration under the profiler", time, time ? timeText(*time) : QString());
    share("compute throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed");
    share("memory throughput", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
    share("DRAM throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
    const auto bytes = dramBytes(kernel);
    add("DRAM traffic", bytes, bytes ? scaledText(*bytes, QStringLiteral("B")) : QString());
    const auto rate = dramBytesPerSecond(kernel);
    add("DRAM bandwidth", rate, rate ? scaledText(*rate, QStringLiteral("B/s")) : QString());
    share("L1 hit rate", "l1tex__t_sector_hit_rate.pct");
    share("L2 hit rate", "lts__t_sector_hit_rate.pct");
    share("achieved occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active");
    share("theoretical occupancy", "sm__maximum_warps_per_active_cycle_pct");
    const auto registers = kernel.number("launch__registers_per_thread");
    add("registers per thread", registers, numberText(registers.value_or(0)));
    const auto waves = kernel.number("launch__waves_per_multiprocessor");
    add("waves per SM", waves, numberText(waves.value_or(0), 2));
    const auto issue = kernel.number("smsp__issue_active.avg.per_cycle_active");
    add("issue slot utilization", issue, percentText(issue.value_or(0)));
    return figures;
}

QString launchTitle(const KernelCounters &kernel) {
    return QStringLiteral("%1, launch %2: %3 blocks of %4 threads")
        .arg(shortKernelName(kernel.name))
        .arg(kernel.launch + 1)
        .arg(sizesText(kernel.grid), sizesText(kernel.block));
}

QString countersText(const Counters &counters, const QString &workspace, const Terminal &terminal,
                     const QString &advice) {
    QString text = inked(terminal, Ink::Faint, printable(originText(counters))) + QLatin1Char('\n');
    for (const QString &line : shortfalls(counters, advice))
        text +=
            inked(terminal, Ink::Unsure, wrapped(printable(line), terminal.columns, 0)) + QLatin1Char('\n');
    for (const QString &arm : counters.arms()) {
        const std::vector<KernelSum> sums = kernelSums(counters, arm);
        double all = 0;
        int launches = 0;
        for (const KernelSum &sum : sums) {
            all += sum.total;
            launches += sum.launches;
        }
        text += QStringLiteral("\n%1: %2, %3 under the profiler\n")
                    .arg(inked(terminal, Ink::Strong, printable(arm)), launchesText(launches), timeText(all));
        const std::vector<const KernelCounters *> told = toldLaunches(counters, arm);
        if (static_cast<std::size_t>(launches) > told.size()) {
            text += sumsTable(sums, terminal);
            text += QStringLiteral("Of each kernel its longest launch%1:\n")
                        .arg(sums.size() > told.size()
                                 ? QStringLiteral(", of the first %1 kernels").arg(told.size())
                                 : QString());
        }
        for (const KernelCounters *kernel : told)
            addLaunch(text, *kernel, workspace, terminal);
    }
    return text;
}

QString countersChangesText(const Counters &before, const Counters &after, const Terminal &terminal) {
    QString text;
    const QString candidate = QStringLiteral("candidate");
    const bool isOfMany = after.kernelsOf(candidate).size() > mostInFull;
    for (const KernelCounters *kernel : toldLaunches(after, candidate)) {
        const KernelCounters *other = nullptr;
        const auto earlier = isOfMany ? toldLaunches(before, candidate) : before.kernelsOf(candidate);
        for (const KernelCounters *one : earlier)
            if (one->function == kernel->function && (other == nullptr || one->launch == kernel->launch))
                other = one;
        text += QLatin1Char('\n') + inked(terminal, Ink::Strong, printable(launchTitle(*kernel))) +
                QLatin1Char('\n');
        if (other == nullptr) {
            text += QStringLiteral("  no kernel of this name before\n");
            continue;
        }
        TextTable table({1, 2, 3});
        table.heading({QString(), QStringLiteral("before"), QStringLiteral("now"), QStringLiteral("change")});
        const std::vector<LaunchFigure> now = launchFigures(*kernel);
        const std::vector<LaunchFigure> then = launchFigures(*other);
        for (std::size_t i = 0; i < now.size(); ++i) {
            QString change = missing;
            if (now[i].value && then[i].value && *then[i].value != 0) {
                const double relative = *now[i].value / *then[i].value - 1;
                change = std::abs(relative) < 0.05 ? QStringLiteral("≈")
                                                   : signedText(relative * 100, 0) + QStringLiteral(" %");
            }
            table.row({now[i].name, then[i].text, now[i].text, change});
        }
        text += table.text(terminal, 2);
    }
    return text + inked(terminal, Ink::Faint,
                        QStringLiteral("\nOne measurement each, no spread: below 5 % nothing is said.\n"));
}

QString rawCountersText(const Counters &counters, const QString &advice) {
    QString text;
    for (const QString &line : shortfalls(counters, advice))
        text += printableLine(line) + QLatin1Char('\n');
    for (const KernelCounters &kernel : counters.kernels) {
        text += QStringLiteral("%1 %2%3\n")
                    .arg(kernel.arm, printableLine(launchTitle(kernel)),
                         kernel.isBrief ? QStringLiteral(" (%1 metrics, not all)").arg(kernel.metrics.size())
                                        : QString());
        for (const auto &[name, value] : kernel.metrics)
            text += QStringLiteral("  %1 %2 %3\n")
                        .arg(name,
                             value.number           ? QString::number(*value.number, 'g', 17)
                             : value.text.isEmpty() ? missing
                                                    : printableLine(value.text),
                             value.unit);
    }
    return text;
}

} // namespace warpwright
