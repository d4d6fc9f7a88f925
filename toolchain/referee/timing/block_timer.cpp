// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/block_timer.h"

#include "referee/base/secret_seed.h"
#include "referee/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <time.h>

namespace warpwright {

namespace {

// Calls that are not timed, so that the first timed one finds its code in the caches as the others do.
constexpr int callsBefore = 2;
constexpr double shortCallSeconds = 0.002;
constexpr int callsForMemory = 1; // so that no timed one has to ask for it
constexpr double warmAgainSeconds = 0.01;

constexpr int mostSettlings = 10;
constexpr int firstCalls = 4;
// Batches planned so many times too short are planned again: CPU, CUDA. What is launched waits for each
// eighth call before it is timed, which alone makes it look slower than it is.
constexpr int tooShort[] = {2, 4};
constexpr double settledSeconds = 0.2; ///< a call that takes longer is told well enough by a few

constexpr double captureLimitSeconds = 60.0;
constexpr int firstCaptured = 16; // calls of the graph that only tells how long one takes

// A batch has as many calls as are wanted, or down to so many of them: how many, none can know.
constexpr double leastShare = 0.6;
constexpr int ambushes = 8; // of a process, one in each of its first blocks
constexpr int leastAmbushed = 3;
constexpr double lateSeconds = 0.0001; // of work after the end: of the device's, in the judge's eyes

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
      m_random(secretSeed()),
      m_startNanoseconds(monotonicNanoseconds()) {}

// No set twice where there are enough: a result that is kept from the call before is never asked for again.
std::vector<int> BlockTimer::anySets(int count) {
    std::vector<int> all(static_cast<size_t>(m_plan.sets));
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), m_random);
    std::vector<int> sets(static_cast<size_t>(count));
    for (size_t i = 0; i < sets.size(); ++i)
        sets[i] = all[i % all.size()];
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

uint32_t BlockTimer::ringFor(const TimedArm &arm, size_t calls) const {
    const auto most =
        std::min<size_t>(static_cast<size_t>(m_plan.ring), ControlPage::mostPlaces / arm.tensors);
    return static_cast<uint32_t>(std::clamp<size_t>(calls, 1, std::max<size_t>(most, 1)));
}

WorkerProcess::Envelope BlockTimer::timeOnce(TimedArm &arm, const std::vector<int> &order,
                                             double limitSeconds, const RenewInputs &renewInputs,
                                             uint32_t stopsAfter) {
    const int callsFirst = order.empty()                        ? 0
                           : arm.callSeconds < shortCallSeconds ? callsBefore
                           : m_session.isRoomy()                ? 0
                                                                : callsForMemory;
    const uint32_t ring = ringFor(arm, order.size());
    const Json request{{"ring", ring},
                       {"tensors", arm.tensors},
                       {"graph", m_lane == Lane::Graph},
                       {"lean", !m_session.isRoomy()},
                       {"empty", order.empty()},
                       {"before", m_lane == Lane::Graph ? std::vector<int>() : anySets(callsFirst)}};
    const BatchCalls calls{order, static_cast<uint32_t>(order.size()), arm.callSeconds, stopsAfter,
                           m_lane == Lane::Graph};
    WorkerProcess::Watch watch;
    // Every arm stands still alike: one that was stopped takes its first calls a little slower.
    watch.whileStopped = [&] {
        if (renewInputs)
            renewInputs(order);
        sleepSeconds(m_plan.restSeconds);
        const double waited = m_session.quietDevice().waitedSeconds();
        m_session.quietDevice().flush();
        arm.busyStarts += m_session.quietDevice().waitedSeconds() > waited + lateSeconds;
    };
    if (!order.empty())
        watch.atEnd = [&] {
            return lateWork(arm);
        };
    if (arm.isExamined && !order.empty()) {
        watch.whileFrozen = [&](const WorkerProcess::BatchEnd &end) {
            if (end.isStopped)
                (void)m_session.quietDevice().secondsUntilIdle();
            if (m_examiner)
                m_examiner(arm, {order, ring, end});
        };
    }
    WorkerProcess::BatchEnd end;
    const WorkerProcess::Envelope envelope = arm.worker->batch(request, calls, limitSeconds, watch, end);
    m_deviceSeconds += envelope.seconds;
    if (end.isForged && m_examiner)
        m_examiner(arm, {order, ring, end});
    return envelope;
}

// The judge's own context has to come onto the device again, which takes what it takes after any arm.
double BlockTimer::lateWork(TimedArm &arm) {
    if (m_session.device().memory == MemoryKind::Cpu)
        return 0.0;
    const double idle = m_session.quietDevice().secondsUntilIdle();
    arm.idleSeconds.push_back(idle);
    if (!arm.isUntrusted)
        m_usualIdle.push_back(idle);
    if (!arm.isExamined || m_usualIdle.empty())
        return 0.0;
    const double late = idle - *std::max_element(m_usualIdle.begin(), m_usualIdle.end()) - lateSeconds;
    ++arm.batches;
    arm.lateEnds += late > 0.0;
    return std::max(0.0, late);
}

void BlockTimer::prepare(TimedArm &arm, double limitSeconds, const std::function<void()> &learnForm) {
    m_faultyArm = arm.name;
    arm.worker->call("sets", {{"sets", m_sets}}, 60.0);
    const Json warm = arm.worker->call("warm", Json::object(), limitSeconds);
    // Who was compiled before has had its first call.
    arm.firstCallSeconds = std::max(arm.firstCallSeconds, warm.value("firstSeconds", 0.0));
    std::vector<double> empty;
    // What an untrusted one takes serves to plan its batches; trusted arms say what is taken off. (On a CPU
    // one is disturbed by whatever else there is.)
    const bool isCuda = m_session.device().memory == MemoryKind::Cuda;
    const int empties = arm.isUntrusted && isCuda ? std::min(2, m_plan.emptyBatches) : m_plan.emptyBatches;
    for (int i = 0; i < empties; ++i)
        empty.push_back(timeOnce(arm, {}, 30.0).seconds);
    // The least: whatever disturbs the machine meanwhile must not be paid for by calls that are few and
    // short.
    arm.emptySeconds = *std::min_element(empty.begin(), empty.end());
    settleCalls(arm, limitSeconds, learnForm);
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

// Batches grow until they are as long as they should be, and until the arm is warm. The first calls of
// several threads wait for processors that sleep: seen were 20 ms for a call of 0.1 ms. By such an estimate a
// batch is one call, which waits again. A candidate that calls itself slow, to be asked for little, gains
// nothing by it.
void BlockTimer::settleCalls(TimedArm &arm, double limitSeconds, const std::function<void()> &learnForm) {
    const bool cuda = m_session.device().memory == MemoryKind::Cuda;
    // One of an earlier check has all that it needs once. (On a CPU its pages of new inputs are new, too.)
    const bool isKnown = cuda && !arm.isUntrusted && arm.worker->hasBeenTimed();
    const double warmSeconds = isKnown ? std::min(m_plan.warmSeconds, warmAgainSeconds) : m_plan.warmSeconds;
    arm.calls = firstCalls;
    arm.callSeconds = 0.0;
    double spent = 0.0;
    for (int i = 0; i < mostSettlings; ++i) {
        const double whole = timeOnce(arm, anySets(arm.calls), limitSeconds).seconds;
        if (!arm.worker->isAlive())
            return; // its end was forged: the examiner has said so
        if (i == 0 && learnForm)
            learnForm();
        spent += whole;
        const double own = whole - arm.emptySeconds;
        if (own <= 0.0)
            continue; // the empty batch was disturbed: this says nothing
        const double call = std::max(own, 1e-7) / arm.calls;
        arm.callSeconds = arm.callSeconds > 0.0 ? std::min(arm.callSeconds, call) : call;
        const int wanted = callsOfBatch(arm.callSeconds);
        const bool isSettled = i > 0 && wanted < tooShort[cuda] * arm.calls;
        if (!cuda || !isSettled)
            arm.calls = wanted;
        if (arm.callSeconds >= settledSeconds || (isSettled && spent >= warmSeconds))
            break;
    }
    arm.callSeconds = std::max(arm.callSeconds, 1e-7);
}

void BlockTimer::captureCalls(TimedArm &arm, int calls) {
    arm.calls = calls;
    arm.captured = anySets(calls);
    arm.worker->call("capture", {{"order", arm.captured}, {"ring", ringFor(arm, arm.captured.size())}},
                     captureLimitSeconds);
}

void BlockTimer::capture(TimedArm &arm, const TimedArm &calls) {
    m_faultyArm = arm.name;
    arm.emptySeconds = calls.emptySeconds;
    arm.tensors = calls.tensors;
    const auto fitting = [&](double callSeconds) {
        return static_cast<int>(
            std::clamp(std::round(m_plan.batchSeconds / callSeconds), 1.0, static_cast<double>(m_plan.sets)));
    };
    // What a call costs without Python is not known yet: a short graph says so.
    captureCalls(arm, std::min(fitting(calls.callSeconds), firstCaptured));
    timeOnce(arm, arm.captured, captureLimitSeconds);
    const double seconds = timeOnce(arm, arm.captured, captureLimitSeconds).seconds;
    arm.callSeconds = std::max(seconds - arm.emptySeconds, 1e-7) / arm.calls;
    if (const int wanted = fitting(arm.callSeconds); wanted != arm.calls) {
        captureCalls(arm, wanted);
        timeOnce(arm, arm.captured, captureLimitSeconds);
    }
    m_faultyArm.clear();
}

double BlockTimer::timeAside(TimedArm &arm, double limitSeconds) {
    const int calls = std::max(1, arm.calls / 2);
    const double seconds = timeOnce(arm, anySets(calls), limitSeconds).seconds;
    return std::max(0.0, seconds - arm.emptySeconds) / calls;
}

void BlockTimer::runAside(TimedArm &arm, double limitSeconds, const RenewInputs &renewInputs) {
    timeOnce(arm, anySets(arm.calls), limitSeconds, renewInputs);
}

// Looks like any other batch until it is stopped. Who puts work off until he sees the end has none of it
// here.
void BlockTimer::ambush(TimedArm &arm, const RenewInputs &renewInputs) {
    std::uniform_int_distribution<int> pickCall(1, arm.calls - 1);
    const double limit = 20.0 + 50.0 * arm.callSeconds * arm.calls;
    timeOnce(arm, anySets(arm.calls), limit, renewInputs, static_cast<uint32_t>(pickCall(m_random)));
    rest(arm);
    arm.worker->pause();
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
                           const RenewInputs &renewInputs) {
    const double limit = 20.0 + 50.0 * arm.callSeconds * arm.calls;
    const double began = static_cast<double>(monotonicNanoseconds() - m_startNanoseconds) * 1e-9;
    const WorkerProcess::Envelope envelope = timeOnce(arm, sets, limit, renewInputs);
    const ClockWitness::Reading clock = m_clock.read();
    const double own = envelope.seconds - arm.emptySeconds;
    const double microseconds = std::max(0.0, own) / static_cast<double>(sets.size()) * 1e6;
    arm.microseconds.push_back(microseconds);
    arm.processes.push_back(process);
    arm.submitShare.push_back(envelope.submitSeconds / std::max(own, 1e-9));
    arm.queuedShare.push_back(std::min(envelope.queuedSeconds / std::max(own, 1e-9), 1.0));
    m_blocks.push_back(
        {{"block", m_blockCount},
         {"process", process},
         {"position", position},
         {"arm", arm.name},
         {"calls", sets.size()},
         {"startSeconds", began},
         {"envelopeMicroseconds", envelope.seconds * 1e6},
         {"queuedMicroseconds", envelope.queuedSeconds * 1e6},
         {"idleMicroseconds", arm.idleSeconds.empty() ? Json() : Json(arm.idleSeconds.back() * 1e6)},
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
    std::uniform_real_distribution<double> pickShare(leastShare, 1.0);
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
        // All arms of a block walk through the same sets, and make as large a part of their calls; a graph
        // has both already.
        const std::vector<int> walk = anySets(m_plan.sets);
        const double share = pickShare(m_random);
        const auto setsOf = [&](const TimedArm &arm) {
            if (m_lane == Lane::Graph)
                return arm.captured;
            std::vector<int> sets(static_cast<size_t>(std::max(1L, std::lround(arm.calls * share))));
            for (size_t i = 0; i < sets.size(); ++i)
                sets[i] = walk[i % walk.size()];
            return sets;
        };
        std::vector<TimedArm *> order = arms;
        std::shuffle(order.begin(), order.end(), m_random);
        const bool isAmbushFirst = m_random() % 2 == 0;
        int position = 0;
        for (TimedArm *arm : order) {
            m_faultyArm = arm->name;
            const RenewInputs renew = arm == arms[0] ? watch.renewInputs : RenewInputs();
            const bool isAmbushed =
                arm->isExamined && m_lane == Lane::Calls && block < ambushes && arm->calls >= leastAmbushed;
            if (isAmbushed && isAmbushFirst)
                ambush(*arm, renew);
            timeBlock(process, *arm, setsOf(*arm), position++, renew);
            if (isAmbushed && !isAmbushFirst)
                ambush(*arm, renew);
            const bool goesOn = watch.afterBatch(m_blockCount, *arm);
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
