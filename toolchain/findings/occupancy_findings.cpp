// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/detectors.h"
#include "toolchain/inspect/opcode_class.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Half of the warps: with more, what is missing seldom is warps.
constexpr double lowOccupancy = 0.5;
/// A unit that is at work for so long has enough warps to feed it.
constexpr double busyUnit = 0.6;
constexpr double fullUnit = 0.7;
/// Of the samples that wait for a result, which other warps would hide.
constexpr double leastWait = 0.5;
/// Without counters: an eighth of the warps at every size of a block, and hardly a register left to give.
/// Well-made kernels with much work for each thread stand at 100 to 200.
constexpr double lowOnPaper = 0.125;
constexpr int nearlyAllRegisters = 240;

struct Limit {
    QString name; ///< "registers", "shared memory"
    double blocks = 0;
    bool isRegisters = false;
};

/// What allows the fewest blocks; of two that allow the same, registers last: they are harder to fix.
std::optional<Limit> limitOf(const KernelEvidence &kernel) {
    const std::pair<const char *, Limit> metrics[] = {
        {"launch__occupancy_limit_warps", {QStringLiteral("the size of a block"), 0, false}},
        {"launch__occupancy_limit_blocks", {QStringLiteral("the number of blocks"), 0, false}},
        {"launch__occupancy_limit_barriers", {QStringLiteral("barriers"), 0, false}},
        {"launch__occupancy_limit_shared_mem", {QStringLiteral("shared memory"), 0, false}},
        {"launch__occupancy_limit_registers", {QStringLiteral("registers"), 0, true}},
    };
    std::optional<Limit> least;
    for (const auto &[metric, limit] : metrics)
        if (const auto blocks = kernel.number(metric); blocks && (!least || *blocks < least->blocks)) {
            least = limit;
            least->blocks = *blocks;
        }
    return least;
}

void addEvidence(Finding &finding, const KernelEvidence &kernel, double theoretical, const Limit &limit) {
    finding.evidence.push_back({QStringLiteral("theoretical occupancy"), theoretical * 100,
                                QStringLiteral("%"),
                                QStringLiteral("ncu: sm__maximum_warps_per_active_cycle_pct")});
    finding.evidence.push_back({QStringLiteral("blocks that %1 allow").arg(limit.name), limit.blocks,
                                QString(), QStringLiteral("ncu: launch__occupancy_limit")});
    if (const auto registers = kernel.number("launch__registers_per_thread"))
        finding.evidence.push_back({QStringLiteral("registers per thread"), *registers, QString(),
                                    QStringLiteral("ncu: launch__registers_per_thread")});
}

std::optional<Finding> counted(const FindingContext &context, const KernelEvidence &kernel) {
    const auto theoretical = kernel.share("sm__maximum_warps_per_active_cycle_pct");
    const auto limit = limitOf(kernel);
    if (!theoretical || !limit || *theoretical > lowOccupancy)
        return std::nullopt;
    const double busiest = busiestUnit(kernel);
    if (busiest >= fullUnit) {
        Finding note = findingAt(context, kernel, "low-occupancy-harmless",
                                 QStringLiteral("Low occupancy that costs nothing"), -1);
        note.isNote = true;
        note.gainMicroseconds = 0;
        note.gainShare = 0;
        addEvidence(note, kernel, *theoretical, *limit);
        note.evidence.push_back({QStringLiteral("the busiest unit is at"), busiest * 100, QStringLiteral("%"),
                                 QStringLiteral("ncu: throughput")});
        note.message =
            QStringLiteral(
                "Only %1 of the possible warps fit on a streaming multiprocessor (SM), limited by %2, but "
                "its busiest unit is at %3 of its peak: more warps would wait for the same unit.")
                .arg(shareText(*theoretical), limit->name, shareText(busiest));
        note.advice = QStringLiteral("Leave the occupancy as it is.");
        note.gainBasis = QStringLiteral("nothing: the unit is busy");
        return note;
    }
    // Waits that another warp would hide. Barriers are none: all warps of a block stand at them.
    const auto waits = kernel.stalled({"long_scoreboard", "short_scoreboard", "wait"});
    const bool fillsDevice = kernel.number("launch__waves_per_multiprocessor").value_or(0) >= 1;
    if (busiest >= busyUnit || !waits || *waits < leastWait || !fillsDevice)
        return std::nullopt;
    Finding finding = limit->isRegisters ? findingAt(context, kernel, "register-limited",
                                                     QStringLiteral("Registers limit how many warps run"), -1)
                                         : findingAt(context, kernel, "low-occupancy",
                                                     QStringLiteral("Too few warps to hide latency"), -1);
    addEvidence(finding, kernel, *theoretical, *limit);
    finding.evidence.push_back({QStringLiteral("samples that wait for a result"), *waits * 100,
                                QStringLiteral("%"), QStringLiteral("ncu: stall reasons")});
    finding.evidence.push_back({QStringLiteral("the busiest unit is at"), busiest * 100, QStringLiteral("%"),
                                QStringLiteral("ncu: throughput")});
    finding.message =
        QStringLiteral("Only %1 of the possible warps fit on a streaming multiprocessor (SM), limited by %2; "
                       "%3 of the samples wait for a result, and no unit is above %4 of its peak.")
            .arg(shareText(*theoretical), limit->name, shareText(*waits), shareText(busiest));
    finding.advice = limit->isRegisters
                         ? QStringLiteral("Keep fewer values live per thread, or launch smaller blocks so "
                                          "that one more fits; a second number in __launch_bounds__ makes "
                                          "the compiler use fewer registers (check for spills afterwards).")
                         : QStringLiteral("Use less of it per block so that one more block fits, or give "
                                          "each warp more independent work (unroll, several accumulators).");
    // Twice the warps hide at best half of the waiting.
    claim(finding, context, kernel, *waits * std::min(0.5, 1 - *theoretical),
          QStringLiteral("%1 of the samples wait; twice the warps hide at most half of that")
              .arg(shareText(*waits)));
    return finding;
}

std::optional<Finding> onPaper(const FindingContext &context, const KernelEvidence &kernel) {
    const KernelResources *resources = kernel.resources;
    if (kernel.inspected == nullptr || resources == nullptr || kernel.inspected->occupancies.empty() ||
        resources->registers < nearlyAllRegisters)
        return std::nullopt;
    for (const Occupancy &one : kernel.inspected->occupancies)
        if (one.share() > lowOnPaper ||
            std::count(one.limiters.begin(), one.limiters.end(), Occupancy::Limiter::Registers) == 0)
            return std::nullopt;
    // Matrix units and copies that run by themselves need few warps.
    for (const ReadInstruction &one : kernel.code) {
        const OpcodeClass kind = one.kind;
        if (kind == OpcodeClass::Tensor || kind == OpcodeClass::AsyncCopy)
            return std::nullopt;
    }
    if (kernel.code.empty())
        return std::nullopt;
    Finding finding = findingAt(context, kernel, "register-limited",
                                QStringLiteral("Registers limit how many warps run"), -1);
    finding.isMeasured = false;
    finding.evidence.push_back({QStringLiteral("registers per thread"),
                                static_cast<double>(resources->registers), QString(),
                                QStringLiteral("ptxas")});
    finding.evidence.push_back({QStringLiteral("maximum threads per block"),
                                static_cast<double>(resources->maxThreads), QString(),
                                QStringLiteral("ptxas")});
    finding.message = QStringLiteral("With %1 registers per thread, at most %2 of the possible warps fit on "
                                     "a streaming multiprocessor (SM), whatever the block size.")
                          .arg(resources->registers)
                          .arg(shareText(lowOnPaper));
    finding.advice =
        QStringLiteral("Keep fewer values live per thread; __launch_bounds__(threads, blocks) makes the "
                       "compiler use fewer registers. Counters would show whether it matters.");
    return finding;
}

} // namespace

double busiestUnit(const KernelEvidence &kernel) {
    double most = 0;
    for (const char *metric : {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                               "lts__throughput.avg.pct_of_peak_sustained_elapsed",
                               "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
                               "sm__throughput.avg.pct_of_peak_sustained_elapsed"})
        most = std::max(most, kernel.share(metric).value_or(0));
    return most;
}

std::vector<Finding> occupancyFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels)
        if (auto finding = kernel.isCounted() ? counted(context, kernel) : onPaper(context, kernel))
            found.push_back(std::move(*finding));
    return found;
}

} // namespace warpwright
