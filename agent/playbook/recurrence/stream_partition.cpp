// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/stream_partition.h"

#include "agent/playbook/recurrence/recurrence_mapping.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr int mostBranches = 4;
constexpr double launchSeconds = 3e-6; ///< of a small kernel, with the gap after it in a CUDA graph
constexpr double worthSeconds = 20e-6; ///< least gain: forks and joins have a cost, too
constexpr double waitSeconds = 10e-6;  ///< on an existing branch, rather than opening one more

/// The memory that a segment accesses.
struct Accesses {
    std::set<int> read;
    std::set<int> written;
    bool isScattered = false; ///< it accumulates into its result
};

Accesses accessesOf(const Program &program, const ProgramSegment &segment) {
    Accesses accesses;
    for (std::size_t i = segment.first; i < segment.first + segment.count; ++i) {
        for (const KernelInput &input : program.kernels[i].inputs)
            accesses.read.insert(program.memoryOf(input.buffer));
        for (const KernelStore &store : program.kernels[i].stores)
            accesses.written.insert(program.memoryOf(store.buffer));
        accesses.isScattered = accesses.isScattered || program.kernels[i].isScattered();
    }
    return accesses;
}

bool intersects(const std::set<int> &some, const std::set<int> &others) {
    return std::any_of(some.begin(), some.end(), [&others](int memory) { return others.contains(memory); });
}

// Two may write one memory concurrently: a program writes each element once.
bool mustFollow(const Accesses &later, const Accesses &earlier) {
    return intersects(later.read, earlier.written) || intersects(later.written, earlier.read) ||
           ((later.isScattered || earlier.isScattered) && intersects(later.written, earlier.written));
}

double secondsOf(const Program &program, const ProgramSegment &segment) {
    double seconds = 0;
    for (std::size_t i = segment.first; i < segment.first + segment.count; ++i) {
        const auto launches =
            static_cast<double>(persistentTimeSteps(program, i) > 1 ? 1 : program.timeStepsOf(i));
        seconds += launches * launchSeconds + static_cast<double>(program.timeStepsOf(i)) *
                                                  program.kernels[i].bytes() /
                                                  deviceOf(program.kernels[i]).branchBytesASecond;
    }
    return seconds;
}

std::vector<ProgramSegment> segmentsOf(const Program &program) {
    std::vector<ProgramSegment> segments;
    for (std::size_t i = 0; i < program.kernels.size();) {
        ProgramSegment segment{i, 1, 0, {}, false};
        for (const TimeLoop &timeLoop : program.timeLoops)
            if (timeLoop.first == i && timeLoop.count > 0)
                segment.count = timeLoop.count;
        segments.push_back(segment);
        i += segment.count;
    }
    return segments;
}

} // namespace

std::vector<ProgramSegment> streamBranchesOf(const Program &program) {
    const std::vector<ProgramSegment> inOrder = segmentsOf(program);
    std::vector<ProgramSegment> segments = inOrder;
    std::vector<Accesses> accesses;
    std::vector<double> ends;       // of each segment
    std::vector<double> branchEnds; // of each branch
    double oneByOne = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        accesses.push_back(accessesOf(program, segments[i]));
        double ready = 0;
        std::vector<int> needed;
        for (std::size_t before = 0; before < i; ++before)
            if (mustFollow(accesses[i], accesses[before])) {
                ready = std::max(ready, ends[before]);
                needed.push_back(static_cast<int>(before));
            }
        // Where it can start first; among equals a branch of its dependencies, rather than a new one.
        int best = -1;
        double bestStart = 0;
        const auto count = static_cast<int>(branchEnds.size());
        const auto isDependencyBranch = [&](int branch) {
            return std::any_of(needed.begin(), needed.end(), [&](int some) {
                return segments[static_cast<std::size_t>(some)].branch == branch;
            });
        };
        for (int branch = 0; branch < std::min(count + 1, mostBranches); ++branch) {
            const double free = branch < count ? branchEnds[static_cast<std::size_t>(branch)] : 0;
            const double start = std::max(free, ready);
            const double gained = bestStart - start;
            if (best < 0 || gained > (branch < count ? 0 : waitSeconds) ||
                (gained == 0 && branch < count && isDependencyBranch(branch) && !isDependencyBranch(best))) {
                best = branch;
                bestStart = start;
            }
        }
        if (best == count)
            branchEnds.push_back(0);
        const double seconds = secondsOf(program, segments[i]);
        oneByOne += seconds;
        ends.push_back(bestStart + seconds);
        branchEnds[static_cast<std::size_t>(best)] = ends.back();
        segments[i].branch = best;
        // Of each other branch only the last dependency: those before it have finished by then.
        std::vector<int> last(branchEnds.size(), -1);
        for (const int some : needed)
            last[static_cast<std::size_t>(segments[static_cast<std::size_t>(some)].branch)] = some;
        for (std::size_t branch = 0; branch < last.size(); ++branch)
            if (last[branch] >= 0 && static_cast<int>(branch) != best) {
                segments[i].after.push_back(last[branch]);
                segments[static_cast<std::size_t>(last[branch])].isAwaited = true;
            }
    }
    const double together = branchEnds.empty() ? 0 : *std::max_element(branchEnds.begin(), branchEnds.end());
    return oneByOne - together >= worthSeconds ? segments : inOrder;
}

int streamBranchCount(const std::vector<ProgramSegment> &segments) {
    int count = 1;
    for (const ProgramSegment &segment : segments)
        count = std::max(count, segment.branch + 1);
    return count;
}

} // namespace warpwright
