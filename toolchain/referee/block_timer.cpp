// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/block_timer.h"

#include "referee/statistics.h"

#include <algorithm>
#include <cmath>
#include <time.h>

namespace warpwright {

namespace {

constexpr int emptyBatches = 9;

void sleepSeconds(double seconds) {
    timespec pause{static_cast<time_t>(seconds), static_cast<long>(std::fmod(seconds, 1.0) * 1e9)};
    nanosleep(&pause, nullptr);
}

} // namespace

TimingPlan planTiming(const TaskSession &session, const std::string &tier, int arms, double callSeconds) {
    const DeviceFacts &device = session.device();
    const bool cuda = device.memory == MemoryKind::Cuda;
    const double cache = static_cast<double>(device.lastLevelCacheBytes);
    const double input = std::max(1.0, static_cast<double>(session.inputBytes()));
    const double output = std::max(1.0, session.facts().value("outputBytes", 0.0));
    TimingPlan plan;
    // Half of what is free, for all sets and all arms' rings.
    const double budget = static_cast<double>(availableMemory(device.memory)) / 2.0;
    plan.batchSeconds = cuda ? 0.03 : 0.08;
    // As many sets as a batch has calls, so that none comes twice in it: as far as memory and the time for
    // drawing them go.
    const double callsOfBatch = std::ceil(plan.batchSeconds / std::max(callSeconds, 1e-5));
    const double drawable = cuda ? 512.0 : std::max(64.0, 0.2e9 / input);
    const double wantedSets =
        std::clamp(std::max(std::ceil(4.0 * cache / input), callsOfBatch), 2.0, std::min(drawable, 4096.0));
    const double wantedRing = std::clamp(std::ceil(4.0 * cache / output), 2.0, 64.0);
    plan.sets = static_cast<int>(std::clamp(std::floor(budget * 0.4 / input), 1.0, wantedSets));
    plan.ring = static_cast<int>(std::clamp(std::floor(budget * 0.4 / arms / output), 1.0, wantedRing));
    plan.isCold = plan.sets * input >= 2.0 * cache;
    plan.restSeconds = cuda ? 0.005 : 0.01;
    plan.wantedHalfWidth = cuda ? 0.01 : 0.03;
    if (tier == "certify") {
        plan.leastBlocks = 20;
        plan.mostBlocks = 80;
        plan.limitSeconds = 120.0;
        plan.wantedHalfWidth = 0.004;
    }
    return plan;
}

BlockTimer::BlockTimer(TaskSession &session, TimingPlan plan, Json sets)
    : m_session(session),
      m_plan(plan),
      m_sets(std::move(sets)),
      m_clock(session.device()),
      m_random(TaskSession::secretSeed()),
      m_startNanoseconds(monotonicNanoseconds()) {}

bool TimedArm::isLaunchBound() const {
    return !submitShare.empty() && median(submitShare) > 0.9;
}

int BlockTimer::ringFor(const std::vector<int> &order) const {
    return std::max(1, std::min(m_plan.ring, static_cast<int>(order.size())));
}

WorkerProcess::Envelope BlockTimer::timeOnce(TimedArm &arm, const std::vector<int> &order,
                                             double limitSeconds) {
    const Json request{{"order", order}, {"ring", ringFor(order)}};
    return arm.worker->batch(request, limitSeconds, [&] {
        sleepSeconds(m_plan.restSeconds);
        flushCache(m_session.device());
    });
}

void BlockTimer::prepare(TimedArm &arm, double warmSeconds, double limitSeconds) {
    m_faultyArm = arm.name;
    arm.worker->call("sets", {{"sets", m_sets}}, 60.0);
    const Json warm = arm.worker->call("warm", {{"calls", 3}, {"seconds", warmSeconds}}, limitSeconds);
    arm.firstCallSeconds = warm.value("firstSeconds", 0.0);
    arm.callSeconds = std::max(warm.value("callSeconds", 0.0), 1e-7);
    std::vector<double> empty;
    for (int i = 0; i < emptyBatches; ++i)
        empty.push_back(timeOnce(arm, {}, 30.0).seconds);
    arm.emptySeconds = median(empty);
    // At most one call a set: a result that is kept from the call before is never asked for again.
    arm.calls = static_cast<int>(std::clamp(std::round(m_plan.batchSeconds / arm.callSeconds), 1.0,
                                            std::max(2.0, static_cast<double>(m_plan.sets))));
    m_faultyArm.clear();
}

bool BlockTimer::isNarrowEnough(const std::vector<TimedArm *> &arms) const {
    for (size_t i = 1; i < arms.size(); ++i) {
        if (ratioWithInterval(arms[i]->microseconds, arms[0]->microseconds).relativeHalfWidth() >
            m_plan.wantedHalfWidth)
            return false;
    }
    return true;
}

void BlockTimer::run(std::vector<TimedArm *> arms, const std::function<bool(int)> &beforeBlock,
                     const std::function<bool(int, TimedArm &, const std::vector<int> &)> &afterBatch) {
    const uint64_t start = monotonicNanoseconds();
    std::uniform_int_distribution<int> pickSet(0, m_plan.sets - 1);
    for (int block = 0; block < m_plan.mostBlocks; ++block) {
        const double passed = static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
        if (block >= m_plan.leastBlocks && (passed > m_plan.limitSeconds || isNarrowEnough(arms)))
            break;
        m_session.progress()("profile",
                             "block " + std::to_string(block + 1) + " of at most " +
                                 std::to_string(m_plan.mostBlocks),
                             m_plan.stepsBefore + block + 1, m_plan.stepsBefore + m_plan.mostBlocks);
        if (!beforeBlock(block))
            return;
        // All arms of a block walk through the sets from the same random start.
        const int first = pickSet(m_random);
        std::vector<TimedArm *> order = arms;
        std::shuffle(order.begin(), order.end(), m_random);
        int position = 0;
        for (TimedArm *arm : order) {
            m_faultyArm = arm->name;
            std::vector<int> sets(static_cast<size_t>(arm->calls));
            for (size_t i = 0; i < sets.size(); ++i)
                sets[i] = (first + static_cast<int>(i)) % m_plan.sets;
            const double limit = 20.0 + 50.0 * arm->callSeconds * arm->calls;
            const double began = static_cast<double>(monotonicNanoseconds() - m_startNanoseconds) * 1e-9;
            const WorkerProcess::Envelope envelope = timeOnce(*arm, sets, limit);
            const double seconds = envelope.seconds;
            const ClockWitness::Reading clock = m_clock.read();
            const double microseconds = std::max(0.0, seconds - arm->emptySeconds) / arm->calls * 1e6;
            arm->microseconds.push_back(microseconds);
            arm->submitShare.push_back(envelope.submitSeconds / std::max(seconds - arm->emptySeconds, 1e-9));
            m_blocks.push_back({{"block", block},
                                {"position", position++},
                                {"arm", arm->name},
                                {"calls", arm->calls},
                                {"startSeconds", began},
                                {"envelopeMicroseconds", seconds * 1e6},
                                {"microseconds", microseconds}});
            if (clock.megahertz) {
                m_clocks.push_back({{"seconds", began},
                                    {"block", block},
                                    {"arm", arm->name},
                                    {"megahertz", *clock.megahertz},
                                    {"slowedBy", clock.slowedBy.value_or("")}});
                arm->megahertz.push_back(*clock.megahertz);
                arm->wasSlowed = arm->wasSlowed || !clock.slowedBy.value_or("").empty();
            }
            const bool goesOn = afterBatch(block, *arm, sets);
            // Untrusted threads may go on after the last call; the others' time is none of theirs.
            if (arm == arms[0])
                arm->worker->pause();
            m_faultyArm.clear();
            if (!goesOn)
                return;
        }
        m_blockCount = block + 1;
    }
}

} // namespace warpwright
