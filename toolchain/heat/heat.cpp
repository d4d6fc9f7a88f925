// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/heat/heat.h"

#include "toolchain/base/figures.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostAwaited = 2;
constexpr double toldShare = 0.8;

std::optional<double> ratioOf(double value, double ideal) {
    return ideal > 0 && value > 0 ? std::optional(std::max(1.0, value / ideal)) : std::nullopt;
}

std::vector<std::pair<QString, double>> sortedStalls(const HeatCounts &counts) {
    std::vector<std::pair<QString, double>> stalls(counts.stalls.begin(), counts.stalls.end());
    std::stable_sort(stalls.begin(), stalls.end(),
                     [](const auto &one, const auto &other) { return one.second > other.second; });
    return stalls;
}

} // namespace

void HeatCounts::add(const HeatCounts &other) {
    samples += other.samples;
    notIssued += other.notIssued;
    for (const auto &[reason, count] : other.stalls)
        stalls[reason] += count;
    executed += other.executed;
    threads += other.threads;
    sectors += other.sectors;
    sectorsIdeal += other.sectorsIdeal;
    wavefronts += other.wavefronts;
    wavefrontsIdeal += other.wavefrontsIdeal;
    localSectors += other.localSectors;
    cost += other.cost;
}

QString HeatCounts::topStall() const {
    QString top;
    double most = 0;
    for (const auto &[reason, count] : stalls)
        if (count > most) {
            most = count;
            top = reason;
        }
    return top;
}

double HeatCounts::stallShare(const QString &reason) const {
    double all = 0;
    for (const auto &[name, count] : stalls)
        all += count;
    const auto found = stalls.find(reason);
    return all > 0 && found != stalls.end() ? found->second / all : 0;
}

std::optional<double> HeatCounts::sectorsRatio() const {
    return ratioOf(sectors, sectorsIdeal);
}

std::optional<double> HeatCounts::wavefrontsRatio() const {
    return ratioOf(wavefronts, wavefrontsIdeal);
}

std::optional<double> HeatCounts::activeThreads() const {
    return executed > 0 ? std::optional(threads / executed) : std::nullopt;
}

const HeatLine *Heat::lineAt(const QString &file, int line) const {
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const HeatLine &one) {
        return one.line == line && one.file == file;
    });
    return found == lines.end() ? nullptr : &*found;
}

const KernelHeat *Heat::kernelOf(const QString &mangled) const {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelHeat &one) {
        return isSameKernel(one.mangled, mangled);
    });
    return found == kernels.end() ? nullptr : &*found;
}

QString awaitedText(const HeatLine &line) {
    double all = 0;
    for (const auto &[place, samples] : line.awaited)
        all += samples;
    QStringList names;
    double told = 0;
    for (const auto &[place, samples] : line.awaited) {
        if (names.size() == mostAwaited || told >= toldShare * all)
            break;
        told += samples;
        names
            << (place.file == line.file
                    ? QString::number(place.line)
                    : QStringLiteral("%1:%2").arg(place.file.section(QLatin1Char('/'), -1)).arg(place.line));
    }
    const bool isOwn = names.size() == 1 && line.awaited.front().first == CodePlace{line.file, line.line};
    // Of a line whose warps mostly did something else it would say too much.
    if (names.isEmpty() || isOwn || all < 0.2 * line.counts.samples)
        return {};
    return (names.size() == 1 ? QStringLiteral("line ") : QStringLiteral("lines ")) +
           names.join(QStringLiteral(" and "));
}

QStringList stallTexts(const HeatCounts &counts, int most) {
    QStringList texts;
    for (const auto &[reason, count] : sortedStalls(counts)) {
        if (texts.size() == most || !(count > 0))
            break;
        texts << QStringLiteral("%1: %2").arg(percentText(counts.stallShare(reason), 0), stallWords(reason));
    }
    return texts;
}

} // namespace warpwright
