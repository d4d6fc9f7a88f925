// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/timing_plan.h"

#include "referee/timing/speed_of_light.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace warpwright {

namespace {

constexpr double longestBatchSeconds[] = {0.08, 0.03}; // CPU, CUDA
constexpr double drawBudgetSeconds[] = {0.25, 1.0};
constexpr double mostSets = 512.0;
constexpr double examineSeconds[] = {0.5, 1.0};
constexpr double certainHalfWidth[] = {0.01, 0.004};
constexpr int blocksBetweenLooks = 8; // of a long series
constexpr double shareOfMemory = 0.2; // of what is free; rings get as much

double inputBytes(const TaskSession &session) {
    return std::max(1.0, static_cast<double>(session.inputBytes()));
}

} // namespace

int planSets(TaskSession &session) {
    if (const std::optional<int> planned = session.timedSets())
        return *planned;
    const DeviceFacts &device = session.device();
    const bool cuda = device.memory == MemoryKind::Cuda;
    const double calls = longestBatchSeconds[cuda] / std::max(speedOfLightMicroseconds(session) * 1e-6, 1e-6);
    const double uncached = 4.0 * static_cast<double>(device.lastLevelCacheBytes) / inputBytes(session);
    const double drawable = drawBudgetSeconds[cuda] / std::max(session.drawSeconds(), 1e-6);
    const MemoryPlan &memory = session.memoryPlan();
    const double fitting =
        memory.isRoomy
            ? shareOfMemory * static_cast<double>(availableMemory(device.memory)) / inputBytes(session)
            : memory.mostSets;
    const double wanted =
        std::min({std::max(calls, uncached), std::max(drawable, uncached), fitting, mostSets});
    const int sets = static_cast<int>(std::exp2(std::floor(std::log2(std::max(wanted, 1.0)))));
    session.setTimedSets(sets);
    return sets;
}

TimingPlan planTiming(const TaskSession &session, const std::string &tier, int sets, int arms) {
    const bool cuda = session.device().memory == MemoryKind::Cuda;
    const double cache = static_cast<double>(session.device().lastLevelCacheBytes);
    TimingPlan plan;
    plan.restSeconds = cuda ? 0.005 : 0.01;
    plan.batchSeconds = longestBatchSeconds[cuda];
    if (tier == "certify") {
        plan.wantedHalfWidth = certainHalfWidth[cuda];
        plan.warmSeconds = cuda ? 0.3 : 0.2;
        plan.drawSeconds = drawBudgetSeconds[cuda]; // all sets, where planSets could keep to it
        plan.mostBlocks = 30;
        plan.limitSeconds = 40.0;
        plan.leastProcesses = 3;
        plan.mostProcesses = 12;
        plan.processLimitSeconds = 300.0;
    } else {
        // Less than half a second of the device for candidate and anchor: 0.04 s each to warm up (0.01 where
        // an earlier check has timed it) and 12 ms to plan their batches, then up to 10 blocks of two batches
        // of 12 ms, and where the processor sets the pace 6 shorter ones of graphs. On a CPU, where a person
        // waits for every call, a second in all unless single calls take longer.
        plan.batchSeconds = cuda ? 0.012 : 0.03;
        plan.restSeconds = cuda ? 0.001 : 0.003;
        plan.warmSeconds = cuda ? 0.04 : 0.05;
        plan.drawSeconds = 0.001;
        plan.emptyBatches = 5;
        plan.wantedHalfWidth = cuda ? 0.01 : 0.03;
        plan.mostBlocks = cuda ? 10 : 16;
        plan.limitSeconds = cuda ? plan.limitSeconds : 1.0;
    }
    plan.sets = sets;
    plan.isCold = sets * inputBytes(session) >= 2.0 * cache;
    const double output = std::max(1.0, session.facts().value("outputBytes", 0.0));
    const double room = shareOfMemory * static_cast<double>(availableMemory(session.device().memory));
    plan.examineSeconds = examineSeconds[cuda] * (tier == "certify" ? plan.leastProcesses : 1);
    // Results of all calls of a batch, so that which are looked at is chosen when they are made.
    if (session.isRoomy())
        plan.ring = static_cast<int>(std::clamp(std::floor(room / arms / output), 1.0, mostSets));
    else
        plan.ring = 1;
    return plan;
}

void planLonger(TimingPlan &plan, MemoryKind memory, double seconds) {
    plan.limitSeconds = seconds;
    plan.wantedHalfWidth = certainHalfWidth[memory == MemoryKind::Cuda];
    plan.mostBlocks = static_cast<int>(std::clamp(seconds / plan.batchSeconds, 1.0, 1000.0));
    plan.blocksBetweenLooks = blocksBetweenLooks;
}

} // namespace warpwright
