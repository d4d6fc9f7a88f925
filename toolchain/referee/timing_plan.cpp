// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing_plan.h"

#include <algorithm>
#include <cmath>

namespace warpwright {

namespace {

// As many sets as a batch has calls, so that none comes twice in it: as far as memory and the time for
// drawing them go.
void planMemory(TimingPlan &plan, const TaskSession &session, int arms, double callSeconds) {
    const DeviceFacts &device = session.device();
    const bool cuda = device.memory == MemoryKind::Cuda;
    const double cache = static_cast<double>(device.lastLevelCacheBytes);
    const double input = std::max(1.0, static_cast<double>(session.inputBytes()));
    const double output = std::max(1.0, session.facts().value("outputBytes", 0.0));
    // Half of what is free, for all sets and all arms' rings.
    const double budget = static_cast<double>(availableMemory(device.memory)) / 2.0;
    const double callsOfBatch = std::ceil(plan.batchSeconds / std::max(callSeconds, 1e-5));
    const double drawable = cuda ? 512.0 : std::max(64.0, 0.2e9 / input);
    const double wantedSets =
        std::clamp(std::max(std::ceil(4.0 * cache / input), callsOfBatch), 2.0, std::min(drawable, 4096.0));
    const double wantedRing = std::clamp(std::ceil(4.0 * cache / output), 2.0, 64.0);
    plan.sets = static_cast<int>(std::clamp(std::floor(budget * 0.4 / input), 1.0, wantedSets));
    plan.ring = static_cast<int>(std::clamp(std::floor(budget * 0.4 / arms / output), 1.0, wantedRing));
    plan.isCold = plan.sets * input >= 2.0 * cache;
}

} // namespace

TimingPlan planTiming(const TaskSession &session, const std::string &tier, int arms, double callSeconds) {
    const bool cuda = session.device().memory == MemoryKind::Cuda;
    TimingPlan plan;
    plan.restSeconds = cuda ? 0.005 : 0.01;
    if (tier == "certify") {
        plan.batchSeconds = cuda ? 0.03 : 0.08;
        plan.warmSeconds = cuda ? 0.3 : 0.2;
        plan.wantedHalfWidth = cuda ? 0.004 : 0.01;
        plan.mostBlocks = 30;
        plan.limitSeconds = 40.0;
        plan.leastProcesses = 3;
        plan.mostProcesses = 12;
        plan.processLimitSeconds = 300.0;
    } else {
        // Half a second of the device for candidate and anchor: 0.05 s each to warm up, then up to 12 blocks
        // of two batches of 15 ms.
        plan.batchSeconds = cuda ? 0.015 : 0.08;
        plan.warmSeconds = cuda ? 0.05 : 0.2;
        plan.wantedHalfWidth = cuda ? 0.01 : 0.03;
        plan.mostBlocks = cuda ? 12 : 24;
    }
    planMemory(plan, session, arms, callSeconds);
    return plan;
}

} // namespace warpwright
