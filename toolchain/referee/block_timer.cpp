// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/block_timer.h"

#include "referee/statistics.h"

#include <algorithm>
#include <cmath>
#include <time.h>

namespace warpwright {

namespace {

// Calls that are not timed, so that the first timed one finds its code in the caches as the others do.
constexpr int callsBefore = 2;
constexpr double shortCallSeconds = 0.002;
constexpr int callsForMemory = 1; // so that no timed one has to ask for it
constexpr double warmAgainSeconds = 0.01;

constexpr int mostSettlings = 5;
// Batches planned so many times too short are planned again: CPU, CUDA. What is launched waits for each
// eighth call before it is timed, which alone makes it look slower than it is.
constexpr int tooShort[] = {2, 4};
constexpr double settledSeconds = 0.2; ///< a call that takes longer is told well enough by a few

constexpr double captureLimitSeconds = 60.0;
constexpr int firstCaptured = 16; // calls of the graph that only tells how long one takes

void sleepSeconds(double seconds) {
    timespec pause{static_cast<time_t>(seconds), static_cast<long>(std::fmod(seconds, 1.0) * 1e9)};
    nanosleep(&pause, nullptr);
}

} // namespace

BlockTimer::BlockTimer(TaskSession &session, TimingPlan plan, Json sets, Lane lane)
    : m_session(session),
      m_plan(plan),
      m_sets(std::move(sets)),
      m_lane(lane),
      m_clock(session.device()),
      m_random(TaskSession::secretSeed()),
      m_startNanoseconds(monotonicNanoseconds()) {}

std::vector<int> BlockTimer::setsFrom(int first, int count) const {
    std::vector<int> sets(static_cast<size_t>(count));
    for (size_t i = 0; i < sets.size(); ++i)
        sets[i] = (first + static_cast<int>(i)) % m_plan.sets;
    return sets;
}

std::string BlockTimer::stepText(int process, int block) const {
    std::string text = m_lane == Lane::Graph ? "graph, block " : "block ";
    text += std::to_string(block + 1) + " of at most " + std::to_string(m_plan.mostBlocks);
    if (m_plan.leastProcesses > 1)
        text += " in process " + std::to_string(process + 1);
    return text;
}

double TimedArm::foreignShare() const {
    return queuedShare.empty() ? 0.0 : shareOfOthers(microseconds, queuedShare);
}

bool TimedArm::isLaunchBound() const {
    return !submitShare.empty() && median(submitShare) > 0.9;
}

int BlockTimer::ringFor(const std::vector<int> &order) const {
    return std::max(1, std::min(m_plan.ring, static_cast<int>(order.size())));
}

WorkerProcess::Envelope
BlockTimer::timeOnce(TimedArm &arm, const std::vector<int> &order, double limitSeconds,
                     const std::function<void(const std::vector<int> &)> &renewInputs) {
    const Json request{{"order", order},
                       {"ring", ringFor(order)},
                       {"graph", m_lane == Lane::Graph},
                       {"lean", !m_session.isRoomy()},
                       {"before", arm.callSeconds < shortCallSeconds ? callsBefore
                                  : m_session.isRoomy()              ? 0
                                                                     : callsForMemory}};
    // Every arm stands still alike: one that was stopped takes its first calls a little slower.
    const auto whileStopped = [&] {
        if (renewInputs)
            renewInputs(order);
        sleepSeconds(m_plan.restSeconds);
        m_session.quietDevice().flush();
    };
    const WorkerProcess::Envelope envelope = arm.worker->batch(request, limitSeconds, whileStopped);
    m_deviceSeconds += envelope.seconds;
    return envelope;
}

void BlockTimer::prepare(TimedArm &arm, double limitSeconds) {
    m_faultyArm = arm.name;
    arm.worker->call("sets", {{"sets", m_sets}}, 60.0);
    // One of an earlier check has all that it needs once. (On a CPU its pages of new inputs are new, too.)
    const bool isCuda = m_session.device().memory == MemoryKind::Cuda;
    const bool isKnown = isCuda && !arm.isUntrusted && arm.worker->hasBeenTimed();
    const double seconds = isKnown ? std::min(m_plan.warmSeconds, warmAgainSeconds) : m_plan.warmSeconds;
    const Json warm = arm.worker->call("warm", {{"calls", 3}, {"seconds", seconds}}, limitSeconds);
    // Who was compiled before has had its first call.
    arm.firstCallSeconds = std::max(arm.firstCallSeconds, warm.value("firstSeconds", 0.0));
    arm.callSeconds = std::max(warm.value("callSeconds", 0.0), 1e-7);
    m_deviceSeconds += arm.callSeconds * warm.value("calls", 0);
    std::vector<double> empty;
    // What an untrusted one takes serves to plan its batches; trusted arms say what is taken off. (On a CPU
    // one is disturbed by whatever else there is.)
    const int empties = arm.isUntrusted && isCuda ? std::min(2, m_plan.emptyBatches) : m_plan.emptyBatches;
    for (int i = 0; i < empties; ++i)
        empty.push_back(timeOnce(arm, {}, 30.0).seconds);
    // The least: whatever disturbs the machine meanwhile must not be paid for by calls that are few and
    // short.
    arm.emptySeconds = *std::min_element(empty.begin(), empty.end());
    arm.calls = callsOfBatch(arm.callSeconds);
    settleCalls(arm, limitSeconds);
    rest(arm);
    m_faultyArm.clear();
}

void BlockTimer::rest(TimedArm &arm) {
    if (m_session.isRoomy())
        return;
    arm.worker->call("release", Json::object(), 60.0);
    m_session.trim(*arm.worker);
}

int BlockTimer::callsOfBatch(double callSeconds) const {
    // At most one call a set: a result that is kept from the call before is never asked for again.
    return static_cast<int>(std::clamp(std::round(m_plan.batchSeconds / callSeconds), 1.0,
                                       std::max(2.0, static_cast<double>(m_plan.sets))));
}

// The first calls of several threads wait for processors that sleep: seen were 20 ms for a call of 0.1 ms.
// By such an estimate a batch is one call, which waits again. So batches grow until they are as long as they
// should be. A candidate that calls itself slow, to be asked for little, gains nothing by it.
void BlockTimer::settleCalls(TimedArm &arm, double limitSeconds) {
    const bool cuda = m_session.device().memory == MemoryKind::Cuda;
    for (int i = 0; i < mostSettlings && arm.callSeconds < settledSeconds; ++i) {
        const double own = timeOnce(arm, setsFrom(0, arm.calls), limitSeconds).seconds - arm.emptySeconds;
        if (own <= 0.0)
            continue; // the empty batch was disturbed: this says nothing
        arm.callSeconds = std::min(arm.callSeconds, std::max(own, 1e-7) / arm.calls);
        const int wanted = callsOfBatch(arm.callSeconds);
        const bool isSettled = wanted < tooShort[cuda] * arm.calls;
        if (!cuda || !isSettled)
            arm.calls = wanted;
        if (isSettled)
            return;
    }
}

void BlockTimer::captureCalls(TimedArm &arm, int calls) {
    arm.calls = calls;
    const std::vector<int> order = setsFrom(0, calls);
    arm.worker->call("capture", {{"order", order}, {"ring", ringFor(order)}}, captureLimitSeconds);
}

void BlockTimer::capture(TimedArm &arm, const TimedArm &calls) {
    m_faultyArm = arm.name;
    arm.emptySeconds = calls.emptySeconds;
    const auto fitting = [&](double callSeconds) {
        return static_cast<int>(
            std::clamp(std::round(m_plan.batchSeconds / callSeconds), 1.0, static_cast<double>(m_plan.sets)));
    };
    // What a call costs without Python is not known yet: a short graph says so.
    captureCalls(arm, std::min(fitting(calls.callSeconds), firstCaptured));
    timeOnce(arm, setsFrom(0, arm.calls), captureLimitSeconds);
    const double seconds = timeOnce(arm, setsFrom(0, arm.calls), captureLimitSeconds).seconds;
    arm.callSeconds = std::max(seconds - arm.emptySeconds, 1e-7) / arm.calls;
    if (const int wanted = fitting(arm.callSeconds); wanted != arm.calls) {
        captureCalls(arm, wanted);
        timeOnce(arm, setsFrom(0, arm.calls), captureLimitSeconds);
    }
    m_faultyArm.clear();
}

double BlockTimer::timeAside(TimedArm &arm, double limitSeconds) {
    const int calls = std::max(1, arm.calls / 2);
    std::uniform_int_distribution<int> pickSet(0, m_plan.sets - 1);
    const double seconds = timeOnce(arm, setsFrom(pickSet(m_random), calls), limitSeconds).seconds;
    return std::max(0.0, seconds - arm.emptySeconds) / calls;
}

std::vector<int> BlockTimer::runAside(TimedArm &arm, double limitSeconds,
                                      const std::function<void(const std::vector<int> &)> &renewInputs) {
    std::uniform_int_distribution<int> pickSet(0, m_plan.sets - 1);
    std::vector<int> order = setsFrom(pickSet(m_random), arm.calls);
    timeOnce(arm, order, limitSeconds, renewInputs);
    return order;
}

bool BlockTimer::isNarrowEnough(const std::vector<TimedArm *> &arms, size_t before) const {
    const auto sinceThen = [&](const TimedArm &arm) {
        return std::vector<double>(arm.microseconds.begin() + static_cast<std::ptrdiff_t>(before),
                                   arm.microseconds.end());
    };
    for (size_t i = 1; i < arms.size(); ++i) {
        if (ratioWithInterval(sinceThen(*arms[i]), sinceThen(*arms[0])).relativeHalfWidth() >
            m_plan.wantedHalfWidth)
            return false;
    }
    return true;
}

void BlockTimer::timeBlock(int process, TimedArm &arm, const std::vector<int> &sets, int position,
                           const std::function<void(const std::vector<int> &)> &renewInputs) {
    const double limit = 20.0 + 50.0 * arm.callSeconds * arm.calls;
    const double began = static_cast<double>(monotonicNanoseconds() - m_startNanoseconds) * 1e-9;
    const WorkerProcess::Envelope envelope = timeOnce(arm, sets, limit, renewInputs);
    const ClockWitness::Reading clock = m_clock.read();
    const double own = envelope.seconds - arm.emptySeconds;
    const double microseconds = std::max(0.0, own) / arm.calls * 1e6;
    arm.microseconds.push_back(microseconds);
    arm.processes.push_back(process);
    arm.submitShare.push_back(envelope.submitSeconds / std::max(own, 1e-9));
    arm.queuedShare.push_back(std::min(envelope.queuedSeconds / std::max(own, 1e-9), 1.0));
    m_blocks.push_back({{"block", m_blockCount},
                        {"process", process},
                        {"position", position},
                        {"arm", arm.name},
                        {"calls", arm.calls},
                        {"startSeconds", began},
                        {"envelopeMicroseconds", envelope.seconds * 1e6},
                        {"queuedMicroseconds", envelope.queuedSeconds * 1e6},
                        {"microseconds", microseconds}});
    if (!clock.megahertz)
        return;
    m_clocks.push_back({{"seconds", began},
                        {"block", m_blockCount},
                        {"arm", arm.name},
                        {"megahertz", *clock.megahertz},
                        {"slowedBy", clock.slowedBy.value_or("")}});
    arm.wasSlowed = arm.wasSlowed || !clock.slowedBy.value_or("").empty();
}

void BlockTimer::run(int process, const std::vector<TimedArm *> &arms, const Watch &watch) {
    const uint64_t start = monotonicNanoseconds();
    const size_t before = arms[0]->microseconds.size();
    std::uniform_int_distribution<int> pickSet(0, m_plan.sets - 1);
    for (int block = 0; block < m_plan.mostBlocks; ++block) {
        const double passed = static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
        const bool isLook = block % m_plan.blocksBetweenLooks == 0;
        if (block >= m_plan.leastBlocks &&
            (passed > m_plan.limitSeconds || (isLook && isNarrowEnough(arms, before))))
            break;
        m_session.progress()("profile", stepText(process, block), m_plan.stepsBefore + block + 1,
                             m_plan.stepsBefore + m_plan.mostBlocks);
        if (!watch.beforeBlock(m_blockCount))
            return;
        // All arms of a block walk through the sets from the same random start; a graph knows its sets.
        const int first = m_lane == Lane::Graph ? 0 : pickSet(m_random);
        std::vector<TimedArm *> order = arms;
        std::shuffle(order.begin(), order.end(), m_random);
        int position = 0;
        for (TimedArm *arm : order) {
            m_faultyArm = arm->name;
            const std::vector<int> sets = setsFrom(first, arm->calls);
            timeBlock(process, *arm, sets, position++,
                      arm == arms[0] ? watch.renewInputs : std::function<void(const std::vector<int> &)>());
            const bool goesOn = watch.afterBatch(m_blockCount, *arm, sets);
            rest(*arm);
            // Untrusted threads may go on after the last call; the others' time is none of theirs.
            if (arm->isUntrusted)
                arm->worker->pause();
            m_faultyArm.clear();
            if (!goesOn)
                return;
        }
        ++m_blockCount;
    }
}

} // namespace warpwright
