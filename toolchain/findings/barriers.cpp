// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/detectors.h"
#include "toolchain/inspect/opcode_class.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

/// Of the kernel's samples: a tiled product that is well made stands at 5 to 20 %.
constexpr double leastShare = 0.25;
/// Barriers of a warp: one or two belong to any reduction in shared memory.
constexpr double leastBarriers = 4;

/// Of the warps, those that read at all: where half of them do, the others may have work of another kind.
constexpr double mostThatRead = 0.5;

/// Loads of a warp from shared memory: a sum over the block takes one or two.
constexpr double mostShared = 4;

bool isBarrier(const ReadInstruction &one) {
    return one.base == QLatin1String("BAR");
}

double warpsOf(const KernelEvidence &kernel) {
    return kernel.blocks() * std::ceil(kernel.counters->threadsPerBlock() / 32.0);
}

/// Blocks are larger than their work: a few warps read, the others go straight to the barrier. A warp that
/// loads in a loop counts once a turn, so that one which feeds all the others is none of these.
std::optional<Finding> idleWarps(const FindingContext &context, const KernelEvidence &kernel, double share) {
    const double warps = warpsOf(kernel);
    double most = 0;
    double others = 0;
    double shared = 0;
    int place = -1;
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
        const ReadInstruction &one = kernel.code[i];
        const double executed = one.count("executed");
        const bool isOfOneThread =
            one.base.startsWith(QLatin1String("UTMALDG")) || one.base.startsWith(QLatin1String("UBLKCP"));
        if (isOfOneThread && executed > 0)
            return {}; // it reads for all of the block
        if ((isGlobalLoad(one) || isLongLoad(one) || one.base == QLatin1String("LDGSTS")) &&
            executed > most) {
            most = executed;
            place = static_cast<int>(i);
        }
        if (isGlobalStore(one) || one.kind == OpcodeClass::Tensor)
            others = std::max(others, executed);
        if (one.base == QLatin1String("LDS"))
            shared += executed;
    }
    // A table that one warp brings, and of which all read again and again, is work for all of them.
    if (warps <= 0 || most <= 0 || std::max(most, others) > mostThatRead * warps ||
        shared > mostShared * warps)
        return {};
    Finding finding =
        findingAt(context, kernel, "idle-warps", QStringLiteral("Most warps of a block are idle"), place);
    finding.evidence.push_back({QStringLiteral("warps of a block"),
                                std::ceil(kernel.counters->threadsPerBlock() / 32.0), QString(),
                                QStringLiteral("ncu: launch__block_size")});
    finding.evidence.push_back({QStringLiteral("share of the warps that load"), most / warps * 100,
                                QStringLiteral("%"), QStringLiteral("ncu: inst_executed of loads")});
    finding.evidence.push_back({QStringLiteral("samples that wait at barriers"), share * 100,
                                QStringLiteral("%"), QStringLiteral("ncu: stall_barrier")});
    finding.message = QStringLiteral("At most %1 of the warps execute loads; the others go straight to the "
                                     "barrier and occupy warp slots while they wait: %2 of the samples.")
                          .arg(shareText(most / warps), shareText(share));
    finding.advice = QStringLiteral("Launch smaller blocks (fewer threads), or give each block the work of "
                                    "several, one warp for each: then no barrier is needed.");
    claim(finding, context, kernel, share * (1 - most / warps),
          QStringLiteral("the waits at barriers, times the share of the warps that load nothing"));
    return finding;
}

} // namespace

std::vector<Finding> barrierFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        const auto share = kernel.stalled({"barrier"});
        if (!kernel.hasSamples() || !share || *share < leastShare)
            continue;
        if (auto idle = idleWarps(context, kernel, *share))
            found.push_back(std::move(*idle));
        const double warps = warpsOf(kernel);
        const double barriers = warps > 0 ? kernel.executed(isBarrier) / warps : 0;
        if (barriers < leastBarriers)
            continue;
        // A warp is sampled at the instruction it goes on with: the barrier stands before it.
        double most = 0;
        int place = -1;
        int barrier = -1;
        for (std::size_t i = 0; i < kernel.code.size(); ++i) {
            if (const double waits = kernel.code[i].count("stall.barrier"); waits > most) {
                most = waits;
                place = barrier < 0 && isBarrier(kernel.code[i]) ? static_cast<int>(i) : barrier;
            }
            if (isBarrier(kernel.code[i]))
                barrier = static_cast<int>(i);
        }
        Finding finding = findingAt(context, kernel, "barrier-wait",
                                    QStringLiteral("Warps wait at __syncthreads() in a loop"), place);
        finding.evidence.push_back({QStringLiteral("samples that wait at barriers"), *share * 100,
                                    QStringLiteral("%"), QStringLiteral("ncu: stall_barrier")});
        finding.evidence.push_back({QStringLiteral("barriers per warp"), barriers, QString(),
                                    QStringLiteral("ncu: inst_executed of BAR")});
        finding.evidence.push_back({QStringLiteral("threads per block"),
                                    static_cast<double>(kernel.counters->threadsPerBlock()), QString(),
                                    QStringLiteral("ncu: launch__block_size")});
        finding.message = QStringLiteral("%1 of the samples wait at a barrier; each warp passes %2 barriers.")
                              .arg(shareText(*share))
                              .arg(std::llround(barriers));
        finding.advice =
            QStringLiteral("Do more work between two barriers (larger tiles), load the next tile while this "
                           "one is used (double buffering needs one barrier per tile), exchange data within "
                           "a warp by shuffles, or use smaller blocks.");
        claim(finding, context, kernel, *share,
              QStringLiteral("%1 of the kernel's samples wait at barriers").arg(shareText(*share)));
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
