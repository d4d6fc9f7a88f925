// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Below this share of the kernel's time a spill is in a cold place, and mending it costs more than it gains.
constexpr double leastShare = 0.03;
/// Without counters and listing: a few words are mostly saved once before a loop.
constexpr int leastSpillBytes = 64;

double localShareOfTraffic(const KernelEvidence &kernel) {
    const auto local = kernel.number("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum").value_or(0) +
                       kernel.number("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum").value_or(0);
    const auto global = kernel.number("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").value_or(0) +
                        kernel.number("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum").value_or(0);
    return local + global > 0 ? local / (local + global) : 0;
}

/// What local memory costs, of 1: waits for it, its part of the queue in front of L1, its issue slots. The
/// largest of them: they overlap.
double localShare(const KernelEvidence &kernel, double executed) {
    const double waits = kernel.waitingFor(isLocalAccess);
    const double queue =
        localShareOfTraffic(kernel) * kernel.stalled({"long_scoreboard", "lg_throttle"}).value_or(0);
    const double all = kernel.number("inst_executed").value_or(0);
    const double issue =
        all > 0
            ? executed / all * kernel.share("sm__inst_issued.avg.pct_of_peak_sustained_elapsed").value_or(0)
            : 0;
    return std::max({waits, queue, issue});
}

Finding tell(const FindingContext &context, const KernelEvidence &kernel, bool isSpill, double executed) {
    const int place = kernel.costliest(isLocalAccess);
    Finding finding = findingAt(context, kernel, isSpill ? "spill" : "local-array",
                                isSpill ? QStringLiteral("Spills to local memory")
                                        : QStringLiteral("An array lies in local memory"),
                                place);
    const KernelResources *resources = kernel.resources;
    if (isSpill && resources != nullptr) {
        finding.evidence.push_back({QStringLiteral("bytes spilled per thread, by stores"),
                                    static_cast<double>(resources->spillStoreBytes), QStringLiteral("byte"),
                                    QStringLiteral("ptxas")});
        finding.evidence.push_back({QStringLiteral("bytes loaded back per thread"),
                                    static_cast<double>(resources->spillLoadBytes), QStringLiteral("byte"),
                                    QStringLiteral("ptxas")});
        finding.evidence.push_back({QStringLiteral("registers per thread"),
                                    static_cast<double>(resources->registers), QString(),
                                    QStringLiteral("ptxas")});
    } else if (resources != nullptr) {
        finding.evidence.push_back({QStringLiteral("stack per thread"),
                                    static_cast<double>(resources->stackBytes), QStringLiteral("byte"),
                                    QStringLiteral("ptxas")});
    }
    if (executed > 0)
        finding.evidence.push_back({QStringLiteral("loads and stores of local memory, counted by warp"),
                                    executed, QString(), QStringLiteral("ncu: inst_executed of LDL, STL")});
    finding.message =
        isSpill ? QStringLiteral("A thread needs more registers than it has: values spill to local memory "
                                 "and are loaded back%1.")
                      .arg(resources == nullptr ? QString()
                                                : QStringLiteral(" (%1 stored, %2 loaded, at %3 registers)")
                                                      .arg(bytesText(resources->spillStoreBytes),
                                                           bytesText(resources->spillLoadBytes))
                                                      .arg(resources->registers))
                : QStringLiteral("Each thread indexes an array by a value that is unknown at compile time, "
                                 "so the array lies in local memory instead of registers.");
    finding.advice =
        isSpill ? QStringLiteral(
                      "Keep fewer values live per thread (fewer accumulators, less unrolling), or allow more "
                      "registers: a smaller block, or a smaller second number in __launch_bounds__.")
                : QStringLiteral("Unroll the loop over the array so that each index is a constant, or put "
                                 "the array into shared memory.");
    return finding;
}

} // namespace

std::vector<Finding> localMemoryFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        const KernelResources *resources = kernel.resources;
        const double executed = kernel.executed(isLocalAccess);
        const bool isSpilled =
            (resources != nullptr && resources->spillStoreBytes + resources->spillLoadBytes > 0) ||
            kernel.number("sass__inst_executed_register_spilling").value_or(0) > 0 ||
            kernel.number("derived__local_spilling_requests").value_or(0) > 0;
        if (kernel.hasSamples()) {
            const double share = executed > 0 ? localShare(kernel, executed) : 0;
            if (share < leastShare)
                continue;
            Finding finding = tell(context, kernel, isSpilled, executed);
            claim(finding, context, kernel, share,
                  QStringLiteral("%1 of the kernel's time goes to local memory").arg(shareText(share)));
            found.push_back(std::move(finding));
            continue;
        }
        const bool isInLoop =
            std::any_of(kernel.code.begin(), kernel.code.end(),
                        [](const ReadInstruction &one) { return isLocalAccess(one) && one.isInLoop; });
        const int bytes = resources == nullptr ? 0 : resources->spillStoreBytes + resources->spillLoadBytes;
        if (!isSpilled || (kernel.code.empty() ? bytes < leastSpillBytes : !isInLoop))
            continue;
        Finding finding = tell(context, kernel, true, 0);
        finding.isMeasured = false;
        if (finding.line == 0)
            for (std::size_t i = 0; i < kernel.code.size(); ++i)
                if (isLocalAccess(kernel.code[i]) && kernel.code[i].isInLoop) {
                    const Finding at = findingAt(context, kernel, "spill", {}, static_cast<int>(i));
                    finding.file = at.file;
                    finding.line = at.line;
                    break;
                }
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
