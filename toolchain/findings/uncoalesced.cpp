// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

/// A third more sectors than needed: less comes from edges and rows that do not begin on a sector.
constexpr double leastExcess = 0.25;
/// Of the kernel's time; ncu's own rule begins at any excess and is known for crying out at edges.
constexpr double leastShare = 0.05;

double excessAt(const ReadInstruction &one) {
    return std::max(0.0, one.count("sectors") - one.count("sectorsIdeal"));
}

/// How much of the time goes to sectors that nothing needs: each load's waits, and the stores' queue, by the
/// part of their sectors that is excess.
double excessTime(const KernelEvidence &kernel) {
    double samples = 0;
    for (const SampledWait &wait : kernel.waits) {
        if (wait.producer < 0 || !wait.isLong)
            continue;
        const ReadInstruction &load = kernel.code[static_cast<std::size_t>(wait.producer)];
        if (load.count("sectors") > 0)
            samples += wait.samples * excessAt(load) / load.count("sectors");
    }
    double stored = 0, storedExcess = 0, drained = 0;
    for (const ReadInstruction &one : kernel.code) {
        if (one.count("sectors") > 0)
            samples += (one.count("stall.lg_throttle") + one.count("stall.mio_throttle")) * excessAt(one) /
                       one.count("sectors");
        if (isGlobalStore(one)) {
            stored += one.count("sectors");
            storedExcess += excessAt(one);
        }
        drained += one.count("stall.drain"); // at its end a warp waits until its stores have gone
    }
    if (stored > 0)
        samples += drained * storedExcess / stored;
    return samples / kernel.samples;
}

} // namespace

std::optional<double> excessSectorShare(const KernelEvidence &kernel) {
    const auto sectors = kernel.number("memory_l2_theoretical_sectors_global");
    const auto ideal = kernel.number("memory_l2_theoretical_sectors_global_ideal");
    if (!sectors || !ideal || *sectors <= 0)
        return std::nullopt;
    return std::max(0.0, 1 - *ideal / *sectors);
}

std::vector<Finding> uncoalescedFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        const auto excess = excessSectorShare(kernel);
        if (!excess || *excess < leastExcess)
            continue;
        // Without samples: the part of the time that memory is at work at all.
        const double share =
            kernel.hasSamples()
                ? excessTime(kernel)
                : *excess * std::min(1.0, kernel
                                              .share("gpu__compute_memory_throughput.avg.pct_of_peak_"
                                                     "sustained_elapsed")
                                              .value_or(0));
        if (share < leastShare)
            continue;
        int place = -1;
        for (std::size_t i = 0; i < kernel.code.size(); ++i)
            if (excessAt(kernel.code[i]) > 0 &&
                (place < 0 ||
                 excessAt(kernel.code[i]) > excessAt(kernel.code[static_cast<std::size_t>(place)])))
                place = static_cast<int>(i);
        Finding finding = findingAt(context, kernel, "uncoalesced",
                                    QStringLiteral("Uncoalesced global memory accesses"), place);
        const double sectors = *kernel.number("memory_l2_theoretical_sectors_global");
        const double factor = 1 / (1 - std::min(*excess, 0.999));
        finding.evidence.push_back({QStringLiteral("sectors of global memory moved"), sectors, QString(),
                                    QStringLiteral("ncu: memory_l2_theoretical_sectors_global")});
        finding.evidence.push_back({QStringLiteral("times as many as the data need"), factor,
                                    QStringLiteral("×"),
                                    QStringLiteral("ncu: memory_l2_theoretical_sectors_global_ideal")});
        finding.message = QStringLiteral("The threads of a warp access scattered addresses: %1 sectors of 32 "
                                         "bytes are moved, %2 as many as the data need.")
                              .arg(scaledText(sectors, QString()), timesText(factor));
        if (place >= 0) {
            const ReadInstruction &at = kernel.code[static_cast<std::size_t>(place)];
            const double own =
                at.count("sectorsIdeal") > 0 ? at.count("sectors") / at.count("sectorsIdeal") : factor;
            finding.evidence.push_back({QStringLiteral("at %1, times its ideal").arg(at.opcode), own,
                                        QStringLiteral("×"), QStringLiteral("ncu: inst. counters")});
        }
        finding.advice = QStringLiteral("Let adjacent threads access adjacent addresses: swap the roles of "
                                        "the indices, or transpose a tile through shared memory.");
        claim(finding, context, kernel, share,
              QStringLiteral("%1 of the kernel's time is spent on sectors that the data do not need")
                  .arg(shareText(share)));
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
