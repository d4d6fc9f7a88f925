// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/heat/heat_text.h"

#include "toolchain/base/figures.h"

#include <QCoreApplication>

namespace warpwright {
namespace {

constexpr int mostReasons = 4;
constexpr std::size_t mostInlined = 3;
constexpr int warp = 32;

QString words(const char *text) {
    return QCoreApplication::translate("Heat", text);
}

} // namespace

QString heatRatio(const std::optional<double> &ratio) {
    return ratio ? QStringLiteral("%1×").arg(numberText(*ratio, *ratio < 9.95 ? 1 : 0)) : QString();
}

QString heatSubject(const Heat &heat) {
    return heat.iteration > 0 ? words("of iteration %1").arg(heat.iteration)
                              : words("of the text of %1")
                                    .arg(heat.at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")));
}

QStringList heatWords(const HeatCounts &counts, double share, double allSamples) {
    QStringList lines{words("%1 of the sampled time: %2 of %3")
                          .arg(percentText(share), numberText(counts.samples),
                               countText(static_cast<qsizetype>(allSamples), words("sample")))};
    if (counts.samples > 0)
        lines
            << words("while nothing else was issued: %1").arg(percentText(counts.notIssued / counts.samples));
    for (const QString &stall : stallTexts(counts, mostReasons))
        lines << QStringLiteral("  ") + stall;
    if (const auto threads = counts.activeThreads())
        lines << words("executed %1 times by warps, with %2 of %3 threads")
                     .arg(numberText(counts.executed), numberText(*threads, 1))
                     .arg(warp);
    if (const auto ratio = counts.sectorsRatio())
        lines << words("%1 sectors of global memory, %2 those that would do")
                     .arg(numberText(counts.sectors), heatRatio(ratio));
    if (const auto ratio = counts.wavefrontsRatio())
        lines << words("%1 wavefronts of shared memory, %2 those that would do")
                     .arg(numberText(counts.wavefronts), heatRatio(ratio));
    if (counts.localSectors > 0)
        lines << words("%1 sectors of local memory").arg(numberText(counts.localSectors));
    return lines;
}

QStringList heatWords(const HeatLine &line, double allSamples) {
    QStringList lines = heatWords(line.counts, line.share, allSamples);
    if (const QString awaited = awaitedText(line); !awaited.isEmpty())
        lines << words("most of its waits are for %1").arg(awaited);
    for (std::size_t i = 0; i < std::min(mostInlined, line.inlined.size()); ++i) {
        const auto &[place, samples] = line.inlined[i];
        lines << words("of these %1 in %2:%3, inlined here")
                     .arg(percentText(samples / line.counts.samples, 0),
                          place.file.section(QLatin1Char('/'), -1))
                     .arg(place.line);
    }
    return lines;
}

} // namespace warpwright
