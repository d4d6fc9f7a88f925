// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/plan_branches.h"

#include "agent/playbook/recurrence/recurrence_sharing.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr int mostBranches = 4;
constexpr double launchSeconds = 3e-6; ///< of a small kernel, with what a graph needs between two
constexpr double worthSeconds = 20e-6; ///< to be won: forks and joins cost some, too
constexpr double waitSeconds = 10e-6;  ///< on a branch that is there, rather than on one more

/// What a stretch does with memory.
struct Touched {
    std::set<int> read;
    std::set<int> written;
    bool isScattered = false; ///< goes on with what is in its result
};

Touched touchedBy(const KernelPlan &plan, const PlanStretch &stretch) {
    Touched touched;
    for (std::size_t i = stretch.first; i < stretch.first + stretch.count; ++i) {
        for (const KernelLeaf &leaf : plan.kernels[i].leaves)
            touched.read.insert(plan.memoryOf(leaf.buffer));
        for (const KernelStore &store : plan.kernels[i].stores)
            touched.written.insert(plan.memoryOf(store.buffer));
        touched.isScattered = touched.isScattered || !plan.kernels[i].scatter.isEmpty();
    }
    return touched;
}

bool meets(const std::set<int> &some, const std::set<int> &others) {
    return std::any_of(some.begin(), some.end(), [&others](int memory) { return others.contains(memory); });
}

// Two may write different elements of one memory at a time: a plan writes each once.
bool needs(const Touched &later, const Touched &earlier) {
    return meets(later.read, earlier.written) || meets(later.written, earlier.read) ||
           ((later.isScattered || earlier.isScattered) && meets(later.written, earlier.written));
}

double secondsOf(const KernelPlan &plan, const PlanStretch &stretch) {
    double seconds = 0;
    for (std::size_t i = stretch.first; i < stretch.first + stretch.count; ++i) {
        const auto launches = static_cast<double>(turnsInside(plan, i) > 1 ? 1 : plan.turnsOf(i));
        seconds += launches * launchSeconds + static_cast<double>(plan.turnsOf(i)) * plan.kernels[i].bytes() /
                                                  deviceOf(plan.kernels[i]).branchBytesASecond;
    }
    return seconds;
}

std::vector<PlanStretch> stretchesOf(const KernelPlan &plan) {
    std::vector<PlanStretch> stretches;
    for (std::size_t i = 0; i < plan.kernels.size();) {
        PlanStretch stretch{i, 1, 0, {}, false};
        for (const PlanRepeat &repeat : plan.repeats)
            if (repeat.first == i && repeat.count > 0)
                stretch.count = repeat.count;
        stretches.push_back(stretch);
        i += stretch.count;
    }
    return stretches;
}

} // namespace

std::vector<PlanStretch> branchesOf(const KernelPlan &plan) {
    const std::vector<PlanStretch> inOrder = stretchesOf(plan);
    std::vector<PlanStretch> stretches = inOrder;
    std::vector<Touched> touched;
    std::vector<double> ends;       // of each stretch, when it is over
    std::vector<double> branchEnds; // of each branch, when its last one is
    double oneByOne = 0;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        touched.push_back(touchedBy(plan, stretches[i]));
        double ready = 0;
        std::vector<int> needed;
        for (std::size_t before = 0; before < i; ++before)
            if (needs(touched[i], touched[before])) {
                ready = std::max(ready, ends[before]);
                needed.push_back(static_cast<int>(before));
            }
        // Where it can begin first; of those, on the branch of what it needs, and on no new one.
        int best = -1;
        double bestStart = 0;
        const auto count = static_cast<int>(branchEnds.size());
        const auto goesOn = [&](int branch) {
            return std::any_of(needed.begin(), needed.end(), [&](int some) {
                return stretches[static_cast<std::size_t>(some)].branch == branch;
            });
        };
        for (int branch = 0; branch < std::min(count + 1, mostBranches); ++branch) {
            const double free = branch < count ? branchEnds[static_cast<std::size_t>(branch)] : 0;
            const double start = std::max(free, ready);
            const double gained = bestStart - start;
            if (best < 0 || gained > (branch < count ? 0 : waitSeconds) ||
                (gained == 0 && branch < count && goesOn(branch) && !goesOn(best))) {
                best = branch;
                bestStart = start;
            }
        }
        if (best == count)
            branchEnds.push_back(0);
        const double seconds = secondsOf(plan, stretches[i]);
        oneByOne += seconds;
        ends.push_back(bestStart + seconds);
        branchEnds[static_cast<std::size_t>(best)] = ends.back();
        stretches[i].branch = best;
        // Of each other branch the last one that it needs: those before are over by then.
        std::vector<int> last(branchEnds.size(), -1);
        for (const int some : needed)
            last[static_cast<std::size_t>(stretches[static_cast<std::size_t>(some)].branch)] = some;
        for (std::size_t branch = 0; branch < last.size(); ++branch)
            if (last[branch] >= 0 && static_cast<int>(branch) != best) {
                stretches[i].after.push_back(last[branch]);
                stretches[static_cast<std::size_t>(last[branch])].isAwaited = true;
            }
    }
    const double together = branchEnds.empty() ? 0 : *std::max_element(branchEnds.begin(), branchEnds.end());
    return oneByOne - together >= worthSeconds ? stretches : inOrder;
}

int branchCount(const std::vector<PlanStretch> &stretches) {
    int count = 1;
    for (const PlanStretch &stretch : stretches)
        count = std::max(count, stretch.branch + 1);
    return count;
}

} // namespace warpwright
