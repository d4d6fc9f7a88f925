// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Of the SM's cycles: each excess wavefront takes the data path of L1 for one. Below 5 % the
/// rest of the kernel hides it.
constexpr double leastShare = 0.05;
/// Of the wavefronts: a few conflicts are what padding would cost, too.
constexpr double leastExcess = 0.2;

/// Atomics on one address take turns whatever bank they are in: that is another finding.
bool isPlainShared(const ReadInstruction &one) {
    return one.count("wavefronts") > 0 && !isAtomic(one);
}

double excessAt(const ReadInstruction &one) {
    return isPlainShared(one) ? std::max(0.0, one.count("wavefronts") - one.count("wavefrontsIdeal")) : 0;
}

} // namespace

std::vector<Finding> bankConflictFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        double all = 0, excess = 0;
        int place = -1;
        for (std::size_t i = 0; i < kernel.code.size(); ++i) {
            const ReadInstruction &one = kernel.code[i];
            if (!isPlainShared(one))
                continue;
            all += one.count("wavefronts");
            excess += excessAt(one);
            if (place < 0 || excessAt(one) > excessAt(kernel.code[static_cast<std::size_t>(place)]))
                place = static_cast<int>(i);
        }
        if (all == 0) { // no counts by instruction
            all = kernel.number("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum").value_or(0) +
                  kernel.number("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum").value_or(0);
            excess = kernel.number("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum").value_or(0) +
                     kernel.number("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum").value_or(0);
        }
        auto cycles = kernel.number("l1tex__cycles_elapsed.sum"); // of all SMs together
        if (const auto longest = kernel.number("gpc__cycles_elapsed.max");
            !cycles && longest && context.input.counters->multiprocessors > 0)
            cycles = *longest * context.input.counters->multiprocessors;
        if (all <= 0 || !cycles || *cycles <= 0 || excess / all < leastExcess)
            continue;
        const double share = std::min(1.0, excess / *cycles);
        if (share < leastShare)
            continue;
        Finding finding = findingAt(context, kernel, "bank-conflict",
                                    QStringLiteral("Bank conflicts in shared memory"), place);
        double ways = all / (all - excess);
        if (place >= 0)
            if (const ReadInstruction &at = kernel.code[static_cast<std::size_t>(place)];
                at.count("wavefrontsIdeal") > 0)
                ways = at.count("wavefronts") / at.count("wavefrontsIdeal");
        finding.evidence.push_back({QStringLiteral("shared-memory wavefronts caused by bank conflicts"),
                                    excess, QString(),
                                    QStringLiteral("ncu: memory_l1_wavefronts_shared, _ideal")});
        finding.evidence.push_back({QStringLiteral("share of all shared-memory wavefronts"),
                                    excess / all * 100, QStringLiteral("%"),
                                    QStringLiteral("ncu: memory_l1_wavefronts_shared")});
        finding.evidence.push_back({QStringLiteral("wavefronts of the worst instruction, over its ideal"),
                                    ways, QStringLiteral("×"), QStringLiteral("ncu: inst. counters")});
        finding.message =
            QStringLiteral(
                "Threads of a warp access different rows of the same shared-memory bank: conflicts cause %1 "
                "of the %2 wavefronts; the worst instruction takes %3 as many as needed.")
                .arg(scaledText(excess, QString()), scaledText(all, QString()), timesText(ways));
        finding.advice = QStringLiteral("Pad the row of the tile by one element ([32][33]), or swizzle the "
                                        "column by the row (column ^ row).");
        claim(finding, context, kernel, share,
              QStringLiteral("the excess wavefronts take %1 of the cycles of L1's data path")
                  .arg(shareText(share)));
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
