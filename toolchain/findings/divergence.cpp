// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace warpwright {
namespace {

/// Of the kernel's time.
constexpr double leastShare = 0.10;
/// Of the threads that a warp has: an instruction for which three of four are there is an edge of a grid.
constexpr double manyThreads = 0.75;

/// What an instruction's warps spend on issuing and computing. Waiting for memory, barriers and stores takes
/// as long with all threads, so it does not count.
double working(const ReadInstruction &one) {
    return one.count("samples") - one.count("stall.long_scoreboard") - one.count("stall.barrier") -
           one.count("stall.drain") - one.count("stall.lg_throttle") - one.count("stall.membar") -
           one.count("stall.sleeping") - one.count("stall.gmma") - one.count("stall.warpgroup_arrive");
}

} // namespace

std::vector<Finding> divergenceFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        // Where no branch ever split a warp, whole warps were off: they are predicated, and cost their issue
        // only.
        if (!kernel.hasSamples() || kernel.number("smsp__branch_targets_threads_divergent") == 0.0)
            continue;
        // A loop that tries an atomic again loses threads by its nature: that is told of the atomic.
        std::set<std::pair<QString, int>> atomicLines;
        for (const ReadInstruction &one : kernel.code)
            if (isAtomic(one) && one.line > 0)
                atomicLines.insert({one.file, one.line});
        // The last warp of a block of 48 threads has 16: that is the block's size and no branch.
        const double inBlock = kernel.counters->threadsPerBlock();
        const double ofWarp = inBlock > 0 ? inBlock / std::ceil(inBlock / 32) : 32;
        double lost = 0, executedThere = 0, threadsThere = 0;
        std::map<int, double> lostAt;
        for (std::size_t i = 0; i < kernel.code.size(); ++i) {
            const ReadInstruction &one = kernel.code[i];
            const double executed = one.count("executed");
            if (executed <= 0 || atomicLines.count({one.file, one.line}) > 0)
                continue;
            const double threads = one.count("threads") / executed;
            if (threads <= 0 || threads > manyThreads * ofWarp)
                continue; // of those without a thread the report may just not say it
            const double here = std::max(0.0, working(one)) * (1 - threads / ofWarp);
            lost += here;
            lostAt[static_cast<int>(i)] = here;
            executedThere += executed;
            threadsThere += one.count("threads");
        }
        // What waits for a load that was split itself waits once for each side of the branch.
        for (const SampledWait &wait : kernel.waits)
            if (const auto split = lostAt.find(wait.producer); wait.isLong && split != lostAt.end()) {
                const ReadInstruction &load = kernel.code[static_cast<std::size_t>(wait.producer)];
                const double here =
                    wait.samples * (1 - load.count("threads") / load.count("executed") / ofWarp);
                lost += here;
                split->second += here;
            }
        const double share = lost / kernel.samples;
        if (share < leastShare || executedThere <= 0)
            continue;
        // The branch stands before the first instruction that lost threads in the costliest stretch.
        int place = std::max_element(lostAt.begin(), lostAt.end(), [](const auto &a, const auto &b) {
                        return a.second < b.second;
                    })->first;
        while (place > 0 && lostAt.count(place - 1) > 0)
            --place;
        if (place > 0 && kernel.code[static_cast<std::size_t>(place - 1)].base == QLatin1String("BRA"))
            --place;
        const double threads = threadsThere / executedThere;
        const double all = kernel.number("inst_executed").value_or(0);
        Finding finding = findingAt(context, kernel, "divergent-branch",
                                    QStringLiteral("A branch makes warps diverge"), place);
        finding.evidence.push_back({QStringLiteral("active threads there, of 32"), threads, QString(),
                                    QStringLiteral("ncu: thread_inst_executed_true")});
        if (all > 0)
            finding.evidence.push_back({QStringLiteral("of all executed instructions"),
                                        executedThere / all * 100, QStringLiteral("%"),
                                        QStringLiteral("ncu: inst_executed")});
        if (const auto branches = kernel.number("smsp__branch_targets_threads_divergent"))
            finding.evidence.push_back({QStringLiteral("divergent branches"), *branches, QString(),
                                        QStringLiteral("ncu: smsp__branch_targets_threads_divergent")});
        finding.message = QStringLiteral("In the code that a branch guards, %1 of the 32 threads of a warp "
                                         "are active; the others are idle until it ends.")
                              .arg(numberText(threads, 1));
        finding.advice =
            QStringLiteral("Let all threads of a warp take the same path: branch per warp instead of per "
                           "thread, sort the work by kind, or compute both sides and select.");
        claim(
            finding, context, kernel, share,
            QStringLiteral("%1 of the kernel's samples are lost to inactive threads").arg(shareText(share)));
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
