// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/counters_report.h"

#include "toolchain/counters/kernel_figures.h"
#include "toolchain/figures.h"
#include "toolchain/kernel_name.h"
#include "toolchain/report/text_table.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

const QString missing = QStringLiteral("–");

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
    if (counters.at.isValid())
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
    table.heading({QStringLiteral("samples"), QStringLiteral("line"), QStringLiteral("sectors × ideal"),
                   QStringLiteral("wavefronts × ideal"), QStringLiteral("most of them")});
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
        text += QStringLiteral("  hottest lines, by warp samples\n") + table.text(terminal, 4);
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
        const QString line = QStringLiteral("%1, up to %2%3: %4")
                                 .arg(rule.name, percentText(*rule.speedupPercent / 100, 0),
                                      rule.isGlobal ? QString() : QStringLiteral(" of its part"),
                                      printableLine(rule.message).section(QStringLiteral(". "), 0, 0));
        text += QStringLiteral("    ") + wrapped(line, std::max(60, terminal.columns), 6) + QLatin1Char('\n');
    }
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
    add("time under the profiler", time, time ? timeText(*time) : QString());
    share("SM, of its peak", "sm__throughput.avg.pct_of_peak_sustained_elapsed");
    share("memory, of its peak", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
    share("DRAM, of its peak", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
    const auto bytes = dramBytes(kernel);
    add("DRAM traffic", bytes, bytes ? scaledText(*bytes, QStringLiteral("B")) : QString());
    const auto rate = dramBytesPerSecond(kernel);
    add("DRAM rate", rate, rate ? scaledText(*rate, QStringLiteral("B/s")) : QString());
    share("L1 hits", "l1tex__t_sector_hit_rate.pct");
    share("L2 hits", "lts__t_sector_hit_rate.pct");
    share("occupancy, achieved", "sm__warps_active.avg.pct_of_peak_sustained_active");
    share("occupancy, possible", "sm__maximum_warps_per_active_cycle_pct");
    const auto registers = kernel.number("launch__registers_per_thread");
    add("registers a thread", registers, numberText(registers.value_or(0)));
    const auto waves = kernel.number("launch__waves_per_multiprocessor");
    add("waves", waves, numberText(waves.value_or(0), 2));
    const auto issue = kernel.number("smsp__issue_active.avg.per_cycle_active");
    add("issue slots used", issue, percentText(issue.value_or(0)));
    return figures;
}

QString launchTitle(const KernelCounters &kernel) {
    return QStringLiteral("%1, launch %2: %3 blocks of %4 threads")
        .arg(shortKernelName(kernel.name))
        .arg(kernel.launch + 1)
        .arg(sizesText(kernel.grid), sizesText(kernel.block));
}

QString countersText(const Counters &counters, const QString &workspace, const Terminal &terminal) {
    QString text = inked(terminal, Ink::Faint, printable(originText(counters))) + QLatin1Char('\n');
    for (const QString &arm : counters.arms()) {
        const std::vector<const KernelCounters *> kernels = counters.kernelsOf(arm);
        double all = 0;
        for (const KernelCounters *kernel : kernels)
            all += kernel->microseconds().value_or(0);
        text += QStringLiteral("\n%1: %2, %3 under the profiler\n")
                    .arg(inked(terminal, Ink::Strong, printable(arm)),
                         countText(static_cast<qsizetype>(kernels.size()), QStringLiteral("launch"))
                             .replace(QLatin1String("launchs"), QLatin1String("launches")),
                         timeText(all));
        for (const KernelCounters *kernel : kernels) {
            text += QLatin1Char('\n') + inked(terminal, Ink::Strong, printable(launchTitle(*kernel))) +
                    QLatin1Char('\n');
            TextTable table({1, 3});
            const std::vector<LaunchFigure> figures = launchFigures(*kernel);
            const std::size_t half = (figures.size() + 1) / 2;
            for (std::size_t i = 0; i < half; ++i) {
                QStringList row{figures[i].name, figures[i].text};
                if (i + half < figures.size())
                    row << figures[i + half].name << figures[i + half].text;
                table.row(row);
            }
            text += table.text(terminal, 2);
            if (const QString stalls = stallsText(*kernel); !stalls.isEmpty())
                text += QStringLiteral("  ") +
                        wrapped(QStringLiteral("warps: ") + stalls, std::max(60, terminal.columns), 4) +
                        QLatin1Char('\n');
            addLines(text, *kernel, workspace, terminal);
            addRules(text, *kernel, terminal);
        }
    }
    if (counters.launchesLeftOut > 0)
        text += QStringLiteral("\n%1 more launches are in the report and not here.\n")
                    .arg(numberText(counters.launchesLeftOut));
    if (counters.hasSelectedMetrics)
        text += QStringLiteral("\nOf so many launches only the metrics are here that Warpwright shows.\n");
    for (const QString &problem : counters.problems)
        text += QLatin1Char('\n') + inked(terminal, Ink::Unsure, printable(problem)) + QLatin1Char('\n');
    return text;
}

QString countersChangesText(const Counters &before, const Counters &after, const Terminal &terminal) {
    QString text;
    for (const KernelCounters *kernel : after.kernelsOf(QStringLiteral("candidate"))) {
        const KernelCounters *other = nullptr;
        const auto earlier = before.kernelsOf(QStringLiteral("candidate"));
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

QString rawCountersText(const Counters &counters) {
    QString text;
    for (const KernelCounters &kernel : counters.kernels) {
        text += QStringLiteral("%1 %2\n").arg(kernel.arm, printableLine(launchTitle(kernel)));
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
