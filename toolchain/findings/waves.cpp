// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

/// Of the kernel's time, by the grid and by what was measured alike.
constexpr double leastShare = 0.10;
/// Where memory is this busy, idle SMs cost nothing.
constexpr double busyMemory = 0.7;
/// What a unit of the device reaches at the most, in elapsed cycles: full waves bring it there, no further.
constexpr double reachable = 0.95;
constexpr double leastMicroseconds = 5;
/// A small task has few blocks by its nature; only where it takes its time is that worth a word.
constexpr double leastOfSmallGrid = 10;

/// Of the warp slots that the device has, for all of the kernel's time, those that stood empty.
std::optional<double> emptyPlaces(const KernelEvidence &kernel) {
    const auto active = kernel.activeShare();
    const auto warps = kernel.share("sm__warps_active.avg.pct_of_peak_sustained_active");
    const auto theoretical = kernel.share("sm__maximum_warps_per_active_cycle_pct");
    if (!active || !warps || !theoretical || *theoretical <= 0)
        return std::nullopt;
    return std::clamp(1 - *active * *warps / *theoretical, 0.0, 1.0);
}

/// Of the time what full waves could save: the busiest unit has to do its work in any case.
double mostToSave(const KernelEvidence &kernel) {
    return std::max(0.0, 1 - busiestUnit(kernel) / reachable);
}

Finding tailOf(const FindingContext &context, const KernelEvidence &kernel, double waves, double tail,
               double empty) {
    Finding finding =
        findingAt(context, kernel, "tail-wave", QStringLiteral("The last wave is nearly empty"), -1);
    finding.evidence.push_back(
        {QStringLiteral("blocks"), kernel.blocks(), QString(), QStringLiteral("ncu: launch__grid_size")});
    const bool isOneWave = kernel.number("launch__waves_per_multiprocessor").value_or(2) <= 1;
    finding.evidence.push_back(
        {isOneWave ? QStringLiteral("blocks per SM") : QStringLiteral("waves of blocks"), waves, QString(),
         QStringLiteral("ncu: launch__waves_per_multiprocessor")});
    finding.evidence.push_back({QStringLiteral("empty warp slots"), empty * 100, QStringLiteral("%"),
                                QStringLiteral("ncu: sm__warps_active, sm__cycles_active")});
    finding.message =
        isOneWave ? QStringLiteral("%1 blocks are %2 for each streaming multiprocessor (SM): some SMs run "
                                   "one more than the others, which are idle for %3 of the time.")
                        .arg(numberText(kernel.blocks()), numberText(waves, 2), shareText(empty))
                  : QStringLiteral("%1 blocks make %2 waves: the last one fills %3 of the device, and %4 of "
                                   "all warp slots were empty.")
                        .arg(numberText(kernel.blocks()), numberText(waves, 2),
                             shareText(waves - std::floor(waves)), shareText(empty));
    finding.advice =
        QStringLiteral("Make the blocks fill whole waves (another tile or block size), or launch only as "
                       "many blocks as fit at once and let each loop over its share.");
    const double share = std::min({tail, empty, mostToSave(kernel)});
    claim(finding, context, kernel, share,
          QStringLiteral(
              "%1 of the time: the least of the estimates by waves, by empty slots and by the busiest unit")
              .arg(shareText(share)));
    return finding;
}

Finding smallGridOf(const FindingContext &context, const KernelEvidence &kernel, double units, double idle) {
    Finding finding = findingAt(context, kernel, "small-grid", QStringLiteral("Fewer blocks than SMs"), -1);
    finding.evidence.push_back(
        {QStringLiteral("blocks"), kernel.blocks(), QString(), QStringLiteral("ncu: launch__grid_size")});
    finding.evidence.push_back(
        {QStringLiteral("multiprocessors"), units, QString(), QStringLiteral("ncu: launch__sm_count")});
    finding.evidence.push_back({QStringLiteral("time that SMs have no block"), idle * 100,
                                QStringLiteral("%"), QStringLiteral("ncu: sm__cycles_active")});
    finding.message =
        QStringLiteral(
            "%1 blocks run on %2 streaming multiprocessors (SMs), which are idle for %3 of their time.")
            .arg(numberText(kernel.blocks()), numberText(units), shareText(idle));
    finding.advice = QStringLiteral("Split the work finer: smaller tiles, or split the reduced dimension "
                                    "over several blocks (split-K) and add a second pass.");
    claim(finding, context, kernel, idle,
          QStringLiteral("the SMs have no block for %1 of their time").arg(shareText(idle)));
    return finding;
}

} // namespace

std::vector<Finding> waveFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        const auto waves = kernel.number("launch__waves_per_multiprocessor");
        const double microseconds = kernel.isCounted() ? kernel.counters->microseconds().value_or(0) : 0;
        if (!waves || microseconds < leastMicroseconds)
            continue;
        const double dram =
            kernel.share("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed").value_or(0);
        if (*waves > 1) {
            const double tail = 1 - *waves / std::ceil(*waves);
            const auto empty = emptyPlaces(kernel);
            if (empty && std::min({tail, *empty, mostToSave(kernel)}) >= leastShare && dram < busyMemory)
                found.push_back(tailOf(context, kernel, *waves, tail, *empty));
            continue;
        }
        const auto units = kernel.number("launch__sm_count");
        const auto active = kernel.activeShare();
        if (!units || *units <= 0 || !active || microseconds < leastOfSmallGrid || dram >= busyMemory)
            continue;
        // All blocks fit at once, and still some SMs get one more than the others.
        const double each = kernel.blocks() / *units;
        if (const double uneven = 1 - each / std::ceil(each); each > 1) {
            if (std::min({uneven, 1 - *active, mostToSave(kernel)}) >= leastShare)
                found.push_back(tailOf(context, kernel, each, uneven, 1 - *active));
            continue;
        }
        if (each > 0.75)
            continue;
        const double idle = std::min(1 - *active, 1 - kernel.blocks() / *units);
        if (idle >= 0.25)
            found.push_back(smallGridOf(context, kernel, *units, idle));
    }
    return found;
}

} // namespace warpwright
