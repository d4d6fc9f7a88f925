// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Times the task's own bytes: less is what writing back and edges bring along.
constexpr double leastFactor = 1.5;
/// A kernel whose memory is at work for so much of its time pays for every byte.
constexpr double busyMemory = 0.6;

double dramBytes(const KernelEvidence &kernel) {
    const auto read = kernel.number("dram__bytes_read.sum");
    const auto write = kernel.number("dram__bytes_write.sum");
    return kernel.launches * (read || write ? read.value_or(0) + write.value_or(0)
                                            : kernel.number("dram__bytes.sum").value_or(0));
}

/// Bytes that are moved for another reason, which is told elsewhere.
bool isWasteful(const KernelEvidence &kernel) {
    return excessSectorShare(kernel).value_or(0) >= 0.25 ||
           kernel.number("sass__inst_executed_local_loads").value_or(0) > 0;
}

} // namespace

std::vector<Finding> redundantPassFindings(const FindingContext &context) {
    if (!context.figures || !context.figures->task.bytes || !context.callMicroseconds ||
        context.figures->task.limit != QLatin1String("memory") || !context.isOfOneCall)
        return {};
    const double needed = *context.figures->task.bytes;
    const auto cache = lastLevelCacheBytes(context);
    // The profiler empties the caches before each kernel: of a tensor that stays in L2 from one kernel to the
    // next it tells bytes that a call does not move.
    if (!cache || needed < *cache)
        return {};
    double moved = 0, busy = 0, spent = 0;
    int passes = 0;
    const KernelEvidence *largest = nullptr;
    for (const KernelEvidence &kernel : context.kernels) {
        if (!kernel.isCounted() || isWasteful(kernel))
            return {};
        const double bytes = dramBytes(kernel);
        moved += bytes;
        // A pass: it moves a good part of what the task consists of.
        passes += bytes >= 0.3 * needed ? kernel.launches : 0;
        spent += kernel.microseconds.value_or(0);
        busy +=
            kernel.microseconds.value_or(0) *
            std::min(1.0, kernel.share("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed").value_or(0) /
                              busyMemory);
        if (largest == nullptr || bytes > dramBytes(*largest))
            largest = &kernel;
    }
    const double factor = moved / needed;
    if (largest == nullptr || factor < leastFactor || spent <= 0)
        return {};
    Finding finding = findingAt(context, *largest, "redundant-passes",
                                QStringLiteral("More passes over memory than the task needs"),
                                largest->costliest(isGlobalLoad));
    finding.kernel.clear();
    finding.evidence.push_back({QStringLiteral("bytes that the kernels of a call move"), moved,
                                QStringLiteral("byte"), QStringLiteral("ncu: dram__bytes")});
    finding.evidence.push_back({QStringLiteral("bytes of the task's inputs, parameters and outputs"), needed,
                                QStringLiteral("byte"), QStringLiteral("the judge's count")});
    finding.evidence.push_back({QStringLiteral("launches that move a third of them or more"),
                                static_cast<double>(passes), QString(), QStringLiteral("ncu")});
    finding.message = QStringLiteral("The kernels move %1, %2 the size of the task's tensors (%3): %4.")
                          .arg(scaledText(moved, QStringLiteral("B")), timesText(factor),
                               scaledText(needed, QStringLiteral("B")),
                               passes > 1 ? QStringLiteral("%1 launches pass over them").arg(passes)
                                          : QStringLiteral("one kernel passes over them several times"));
    finding.advice = QStringLiteral(
        "Fuse the steps into one kernel that reads each element once and keeps intermediate values in "
        "registers or shared memory; online algorithms (for softmax, for mean and variance) need one pass.");
    finding.gainMicroseconds = busy * (1 - 1 / factor);
    finding.gainShare = std::min(1.0, *finding.gainMicroseconds / *context.callMicroseconds);
    finding.gainBasis = QStringLiteral("%1 of the bytes are moved again, while memory is busy")
                            .arg(shareText(1 - 1 / factor));
    return {finding};
}

} // namespace warpwright
