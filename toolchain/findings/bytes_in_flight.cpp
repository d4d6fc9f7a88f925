// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"

#include <algorithm>

namespace warpwright {
namespace {

/// What a load from memory takes when memory has little else to do. Under load it takes longer, and more
/// bytes would be needed: whoever has fewer than this can never keep it busy.
constexpr double latencySeconds = 600e-9;
/// Enough of the bytes, or a unit of memory that is at work for so long: then something else is the matter.
constexpr double enoughBytes = 0.75;
constexpr double busyUnit = 0.6;
/// Of the kernel's samples that must wait for loads from memory.
constexpr double leastWait = 0.4;
/// A kernel of a few microseconds is all start and end.
constexpr double leastMicroseconds = 8;
/// What a kernel reaches that streams well; the profiler's empty caches cost some of the peak.
constexpr double reachable = 0.8;

std::optional<double> peakBytesPerSecond(const KernelEvidence &kernel) {
    const auto perCycle = kernel.number("dram__bytes.sum.peak_sustained");
    const auto cycles = kernel.number("dram__cycles_elapsed.avg.per_second");
    if (perCycle && cycles)
        return *perCycle * *cycles;
    const auto rate = kernel.number("dram__bytes.sum.per_second");
    const auto share = kernel.share("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
    return rate && share && *share > 0.01 ? std::optional(*rate / *share) : std::nullopt;
}

} // namespace

std::optional<BytesInFlight> bytesInFlightOf(const KernelEvidence &kernel) {
    const auto perThread = bytesInFlight(kernel.code);
    const auto peak = peakBytesPerSecond(kernel);
    const auto warps = kernel.number("sm__warps_active.avg.per_cycle_active");
    const auto percent = kernel.share("sm__warps_active.avg.pct_of_peak_sustained_active");
    const auto units = kernel.number("launch__sm_count");
    if (kernel.code.empty() || !perThread || *perThread == 0 || !peak || (!warps && !percent))
        return std::nullopt;
    const double multiprocessors =
        units.value_or(kernel.number("device__attribute_multiprocessor_count").value_or(0));
    if (multiprocessors <= 0)
        return std::nullopt;
    BytesInFlight bytes;
    bytes.warps = warps ? *warps : *percent * 64;
    // Multiprocessors without a block ask for nothing.
    bytes.warps *= kernel.activeShare().value_or(1);
    bytes.perThread = *perThread;
    bytes.asked = bytes.warps * 32 * *perThread;
    bytes.needed = *peak * latencySeconds / multiprocessors;
    return bytes;
}

std::vector<Finding> bytesInFlightFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        if (!kernel.hasSamples() || kernel.counters->microseconds().value_or(0) < leastMicroseconds ||
            excessSectorShare(kernel).value_or(0) >= 0.25)
            continue;
        const auto dram = kernel.share("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
        const double busiest = busiestUnit(kernel);
        const auto isLoad = [](const ReadInstruction &one) {
            return isGlobalLoad(one) || one.base == QLatin1String("LDGSTS");
        };
        const double waits = kernel.waitingFor(isLoad);
        const auto bytes = bytesInFlightOf(kernel);
        if (!dram || busiest >= busyUnit || waits < leastWait || !bytes ||
            bytes->asked >= enoughBytes * bytes->needed)
            continue;
        Finding finding = findingAt(context, kernel, "few-bytes-in-flight",
                                    QStringLiteral("Too few bytes in flight"), kernel.costliest(isLoad));
        finding.evidence.push_back({QStringLiteral("bytes that a thread loads before it uses any of them"),
                                    bytes->perThread, QStringLiteral("byte"), QStringLiteral("SASS")});
        finding.evidence.push_back({QStringLiteral("active warps per SM"), bytes->warps, QString(),
                                    QStringLiteral("ncu: sm__warps_active")});
        finding.evidence.push_back({QStringLiteral("bytes in flight per SM"), bytes->asked,
                                    QStringLiteral("byte"), QStringLiteral("ncu and SASS")});
        finding.evidence.push_back({QStringLiteral("bytes per SM that keep memory busy for 600 ns"),
                                    bytes->needed, QStringLiteral("byte"),
                                    QStringLiteral("ncu: dram__bytes peak")});
        finding.evidence.push_back({QStringLiteral("DRAM throughput, share of its peak"), *dram * 100,
                                    QStringLiteral("%"), QStringLiteral("ncu: gpu__dram_throughput")});
        finding.evidence.push_back({QStringLiteral("samples that wait for loads"), waits * 100,
                                    QStringLiteral("%"), QStringLiteral("ncu: smsp__pcsamp")});
        finding.message =
            QStringLiteral(
                "Memory runs at %1 of its peak while %2 of the samples wait for it: each streaming "
                "multiprocessor (SM) has %3 in flight and needs about %4 to keep memory busy.")
                .arg(shareText(*dram), shareText(waits), bytesText(bytes->asked), bytesText(bytes->needed));
        finding.advice = QStringLiteral("Issue more loads before using the first result: 16-byte loads, "
                                        "several independent loads per loop iteration (unroll), asynchronous "
                                        "copies into shared memory (cp.async, TMA), or more warps.");
        claim(finding, context, kernel, std::min(waits, 1 - busiest / reachable),
              QStringLiteral("the busiest unit is at %1, and a kernel that streams well reaches %2; at most "
                             "the %3 of the samples that wait")
                  .arg(shareText(busiest), shareText(reachable), shareText(waits)));
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
