// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/detectors.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Of the kernel's time: an atomic at the end of each block costs less.
constexpr double leastShare = 0.15;
/// A slice of L2 whose atomic unit takes something in every other cycle is where all wait.
constexpr double busySlice = 0.5;
/// Of what L2 is asked for: then what waits for L2 waits for atomics as well.
constexpr double leastOfRequests = 0.25;
constexpr double idleUnits = 0.5;
constexpr double mostlyWaits = 0.5;

double requestsShare(const KernelEvidence &kernel) {
    const double all = kernel.number("lts__t_requests_srcunit_tex.sum").value_or(0);
    double atomics = 0;
    for (const char *metric :
         {"lts__t_requests_srcunit_tex_op_red.sum", "lts__t_requests_srcunit_tex_op_atom_dot_alu.sum",
          "lts__t_requests_srcunit_tex_op_atom_dot_cas.sum"})
        atomics += kernel.number(metric).value_or(0);
    return all > 0 ? std::min(1.0, atomics / all) : 0;
}

/// What waits in the queue of L1 though no unit is at work, where a good part of what stands in that queue is
/// atomics: turns on one address keep no unit busy.
double heldWithoutWork(const KernelEvidence &kernel) {
    const double atomics = kernel.executed(
        [](const ReadInstruction &one) { return isAtomic(one) && one.base != QLatin1String("ATOMS"); });
    const double others =
        kernel.executed([](const ReadInstruction &one) { return isGlobalLoad(one) || isGlobalStore(one); });
    const double waits = kernel.stalled({"long_scoreboard", "lg_throttle", "drain"}).value_or(0);
    const bool isHeld = atomics >= leastOfRequests * (atomics + others) && busiestUnit(kernel) < idleUnits;
    return isHeld && waits >= mostlyWaits ? waits * atomics / (atomics + others) : 0;
}

/// Samples that stand at atomics or wait for them, of 1. What a warp waits for at its end is its stores and
/// its atomics, in proportion.
double waitsFor(const KernelEvidence &kernel) {
    double drained = 0;
    for (const ReadInstruction &one : kernel.code)
        drained += one.count("stall.drain");
    const double atomics = kernel.executed(
        [](const ReadInstruction &one) { return isAtomic(one) && one.base != QLatin1String("ATOMS"); });
    const double stores = kernel.executed(isGlobalStore);
    const double ofDrain = atomics > 0 ? drained / kernel.samples * atomics / (atomics + stores) : 0;
    return kernel.waitingFor(isAtomic) + ofDrain;
}

} // namespace

std::vector<Finding> atomicFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        if (!kernel.hasSamples())
            continue;
        const double executed = kernel.executed(isAtomic);
        if (executed <= 0)
            continue;
        const double ownWaits = waitsFor(kernel);
        const double slice =
            kernel.share("lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed").value_or(0);
        const double ofRequests = requestsShare(kernel);
        // One slice that is the bottleneck holds up everything that goes through L2.
        const double held =
            slice >= busySlice && ofRequests >= leastOfRequests
                ? std::min(slice, kernel.stalled({"long_scoreboard", "lg_throttle", "drain"}).value_or(0))
                : 0;
        const double share = std::min(1.0, std::max({ownWaits, held, heldWithoutWork(kernel)}));
        if (share < leastShare)
            continue;
        const int place = kernel.costliest(isAtomic);
        Finding finding = findingAt(context, kernel, "contended-atomics",
                                    QStringLiteral("Atomics on few addresses"), place);
        const bool isShared =
            place >= 0 && kernel.code[static_cast<std::size_t>(place)].base == QLatin1String("ATOMS");
        finding.evidence.push_back({QStringLiteral("atomics, counted by warp"), executed, QString(),
                                    QStringLiteral("ncu: inst_executed")});
        finding.evidence.push_back({QStringLiteral("samples that wait at or for them"), ownWaits * 100,
                                    QStringLiteral("%"), QStringLiteral("ncu: smsp__pcsamp")});
        if (ofRequests > 0)
            finding.evidence.push_back({QStringLiteral("share of all L2 requests"), ofRequests * 100,
                                        QStringLiteral("%"), QStringLiteral("ncu: lts__t_requests")});
        if (slice > 0)
            finding.evidence.push_back({QStringLiteral("atomic unit of the busiest L2 slice"), slice * 100,
                                        QStringLiteral("%"),
                                        QStringLiteral("ncu: lts__d_atomic_input_cycles_active")});
        finding.message =
            isShared
                ? QStringLiteral("%1 of the samples wait for atomics in shared memory: those on the same "
                                 "address are serialized.")
                      .arg(shareText(share))
                : QStringLiteral("%1 of the time goes to atomics: L2 serializes those on the same address.")
                      .arg(shareText(share));
        finding.advice = QStringLiteral(
            "Reduce first where it is cheap: within the warp (__shfl_down_sync, __reduce_add_sync), then in "
            "shared memory (one copy per warp), and issue one atomic per block.");
        claim(finding, context, kernel, share,
              QStringLiteral(
                  "%1 of the kernel's samples wait at or for atomics, or for the L2 slice that they saturate")
                  .arg(shareText(share)));
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
