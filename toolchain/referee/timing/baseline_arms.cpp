// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/baseline_arms.h"

#include <algorithm>

namespace warpwright {

namespace {

/// Another one for every clock that would measure an arm otherwise: what the one before said is no baseline.
constexpr char clockVersion[] = "/clock 2";

// Two processes that run the same code differ by their memory's addresses and by the order of their starts;
// blocks cannot see that. 95 % of single processes lie so near to the truth
// (docs/notebook/2026-11-21.md#settled-by-experiment-memory-spread-and-empty-batches,
// docs/notebook/2026-11-22.md#a-launch-bound-arm-is-no-baseline).
constexpr double processSpreadCuda = 0.006;
constexpr double processSpreadLaunchBound = 0.2;
constexpr double processSpreadCpu = 0.04;

// Threads wait a little for a processor on a quiet machine too: the blocks' scatter shows that.
constexpr double quietShare = 0.01;

bool isLaunchBound(const Json &stored) {
    const Json flags = stored.value("flags", Json::array());
    return std::find(flags.begin(), flags.end(), "launch-bound") != flags.end();
}

std::vector<BaselineArm> possibleArms(const TaskSession &session) {
    const bool cuda = session.device().memory == MemoryKind::Cuda;
    const bool convolutions = cuda && session.facts().value("hasConvolution", false);
    const bool products = cuda && session.facts().value("hasProduct", false);
    std::vector<BaselineArm> arms;
    const auto add = [&](const char *name, const char *mode, bool compiled, bool tf32) {
        BaselineArm arm;
        arm.spec = {name, mode, compiled, false};
        arm.precision = tf32 ? "TF32" : "FP32";
        arm.calls.name = arm.graph.name = name;
        arms.push_back(std::move(arm));
    };
    // PyTorch as it comes lets cuDNN's convolutions use TF32 and keeps matrix products in FP32.
    add("eager", "default", false, convolutions);
    add("compile", "default", true, convolutions);
    if (convolutions) {
        add("eagerStrict", "strict", false, false);
        add("compileStrict", "strict", true, false);
    }
    if (products) {
        add("eagerTf32", "tf32", false, true);
        add("compileTf32", "tf32", true, true);
    }
    return arms;
}

} // namespace

BaselineArms::BaselineArms(TaskSession &session, std::string precision, int sets, bool areAllLive)
    : m_session(session),
      m_precision(std::move(precision)),
      m_sets(sets),
      m_store(session.baselinesFile(), session.taskKey() + clockVersion),
      m_arms(possibleArms(session)) {
    const Json stored = m_store.arms();
    for (BaselineArm &arm : m_arms) {
        if (stored.contains(arm.spec.name) && stored[arm.spec.name].value("sets", 0) == m_sets)
            arm.stored = stored[arm.spec.name];
        else
            areAllLive = true;
    }
    BaselineArm *fastest = nullptr;
    for (BaselineArm &arm : m_arms) {
        arm.live = areAllLive;
        if (!areAllLive && isEligible(arm) && !arm.stored.contains("lost") &&
            (fastest == nullptr ||
             arm.stored.value("medianMicroseconds", 0.0) < fastest->stored.value("medianMicroseconds", 0.0)))
            fastest = &arm;
    }
    if (fastest != nullptr)
        fastest->live = true;
}

std::vector<std::string> BaselineArms::modesToCompile(const TaskSession &session) {
    const Json stored = BaselineStore(session.baselinesFile(), session.taskKey() + clockVersion).arms();
    std::vector<std::string> modes;
    bool areAllStored = true;
    for (const BaselineArm &arm : possibleArms(session)) {
        areAllStored = areAllStored && stored.contains(arm.spec.name);
        if (arm.spec.compiled)
            modes.push_back(arm.spec.mode);
    }
    return areAllStored ? std::vector<std::string>() : modes;
}

// A candidate that keeps all of FP32 is not measured against less.
bool BaselineArms::isEligible(const BaselineArm &arm) const {
    return arm.precision == "FP32" || m_precision != "FP32";
}

int BaselineArms::liveCount() const {
    return static_cast<int>(
        std::count_if(m_arms.begin(), m_arms.end(), [](const BaselineArm &arm) { return arm.live; }));
}

const BaselineArm *BaselineArms::quickest() const {
    const BaselineArm *found = nullptr;
    for (const BaselineArm &arm : m_arms) {
        if (arm.live && isEligible(arm) &&
            (found == nullptr || arm.calls.callSeconds < found->calls.callSeconds))
            found = &arm;
    }
    return found;
}

const BaselineArm *BaselineArms::anchor() const {
    const auto found =
        std::find_if(m_arms.begin(), m_arms.end(), [](const BaselineArm &arm) { return arm.live; });
    return found == m_arms.end() ? nullptr : &*found;
}

// The live arm tells how the device has changed since; but one that waits for the processor says nothing of
// one that does not, nor the other way round.
double BaselineArms::driftOfAnchor(const Json &stored) const {
    const BaselineArm *live = anchor();
    const double before = live != nullptr ? live->stored.value("medianMicroseconds", 0.0) : 0.0;
    if (!(before > 0.0) || !live->has(Lane::Calls) || waits(live->calls) != isLaunchBound(stored))
        return 1.0;
    return median(live->calls.microseconds) / before;
}

bool BaselineArms::isGpu() const {
    return m_session.device().memory == MemoryKind::Cuda;
}

// On a CPU a process's own threads stand in line for each other, on a quiet machine for a tenth of the time
// and more: there the account says nothing of others.
double BaselineArms::foreignShare(const TimedArm &timed) const {
    const double share = timed.foreignShare();
    return isGpu() && share > quietShare ? share : 0.0;
}

// Nobody knows whose that time was, and the interval has to hold both answers.
Interval BaselineArms::holdingForeign(const Interval &interval, const TimedArm &numerator,
                                      const TimedArm &denominator) const {
    constexpr double most = 0.99;
    return {interval.value, interval.low * (1.0 - std::min(foreignShare(numerator), most)),
            interval.high / (1.0 - std::min(foreignShare(denominator), most))};
}

// On a CPU the processor is the device.
bool BaselineArms::waits(const TimedArm &timed) const {
    return isGpu() && timed.isLaunchBound();
}

double BaselineArms::processSpread(bool doesWait) const {
    if (!isGpu())
        return processSpreadCpu;
    return doesWait ? processSpreadLaunchBound : processSpreadCuda;
}

Json BaselineArms::armJson(const TimedArm &timed, Lane lane) const {
    const Interval interval = medianWithInterval(timed.microseconds);
    Json flags = Json::array();
    if (timed.wasSlowed)
        flags.push_back("slowed");
    if (m_areInputsWarm)
        flags.push_back("warm-inputs");
    if (lane == Lane::Calls && waits(timed))
        flags.push_back("launch-bound");
    return {
        {"medianMicroseconds", interval.value},
        {"lowMicroseconds", interval.low},
        {"highMicroseconds", interval.high},
        {"samples", timed.microseconds.size()},
        {"processes", timed.processes.back() + 1},
        {"live", true},
        {"sets", m_sets},
        {"flags", flags},
        {"callsPerSample", timed.calls},
        {"firstCallSeconds", timed.firstCallSeconds},
        {"emptyBatchMicroseconds", timed.emptySeconds * 1e6},
        {"foreignShare", foreignShare(timed)},
    };
}

Json BaselineArms::armsJson(const TimedArm &candidate, Lane lane) const {
    Json arms;
    for (const char *name :
         {"eager", "compile", "eagerStrict", "compileStrict", "eagerTf32", "compileTf32", "candidate"})
        arms[name] = nullptr;
    if (!candidate.microseconds.empty()) {
        arms["candidate"] = armJson(candidate, lane);
        arms["candidate"]["precision"] = m_precision;
    }
    for (const BaselineArm &arm : m_arms) {
        Json &place = arms[arm.spec.name];
        if (arm.has(lane)) {
            place = armJson(arm.timed(lane), lane);
        } else if (lane == Lane::Calls && arm.isStored()) {
            place = arm.stored;
            const double drift = driftOfAnchor(arm.stored);
            for (const char *key : {"medianMicroseconds", "lowMicroseconds", "highMicroseconds"})
                place[key] = place.value(key, 0.0) * drift;
            place["live"] = false;
            place["flags"].push_back("stored");
            place["driftOfAnchor"] = drift;
        }
        if (place.is_object())
            place["precision"] = arm.precision;
    }
    return arms;
}

double BaselineArms::foreignShareBeside(const TimedArm &candidate) const {
    double largest = foreignShare(candidate);
    for (const BaselineArm &arm : m_arms) {
        if (arm.has(Lane::Calls))
            largest = std::max(largest, foreignShare(arm.calls));
    }
    return largest;
}

Json BaselineArms::besideJson(const TimedArm &other, const TimedArm &candidate, Lane lane) const {
    const Interval found = ratio(candidate, other, lane);
    return {{"arm", armJson(other, lane)},
            {"ratio", {{"value", found.value}, {"low", found.low}, {"high", found.high}}}};
}

Interval BaselineArms::ratio(const TimedArm &one, const TimedArm &other, Lane lane) const {
    const bool someWaits = lane == Lane::Calls && (waits(one) || waits(other));
    return holdingForeign(
        ratioOverProcesses(one.microseconds, other.microseconds, other.processes, processSpread(someWaits)),
        one, other);
}

Interval BaselineArms::speedupAgainst(const BaselineArm &arm, const TimedArm &candidate, Lane lane) const {
    if (arm.live)
        return ratio(arm.timed(lane), candidate, lane);
    // Where the device's drift is known, the pairs of the live arm carry it; else the stored time stands
    // alone.
    const BaselineArm *live = anchor();
    const double before = live->stored.value("medianMicroseconds", 1.0);
    const double stored = arm.stored.value("medianMicroseconds", 1.0);
    const bool isAlike = waits(live->calls) == isLaunchBound(arm.stored);
    const auto half = [](const Json &times) {
        const double center = times.value("medianMicroseconds", 1.0);
        return (times.value("highMicroseconds", center) - times.value("lowMicroseconds", center)) / 2.0 /
               center;
    };
    Interval found{};
    if (isAlike) {
        found = ratioWithInterval(live->calls.microseconds, candidate.microseconds);
        found = widened(
            {found.value * stored / before, found.low * stored / before, found.high * stored / before},
            half(live->stored));
    } else {
        const Interval own = medianWithInterval(candidate.microseconds);
        found = {stored / own.value, stored / own.high, stored / own.low};
    }
    const bool someWaits = waits(candidate) || isLaunchBound(arm.stored);
    // Two runs of the judge lie between the two times: each has a spread of its own.
    const double spread = processSpread(someWaits);
    found = widened(widened(widened(found, half(arm.stored)), spread), spread);
    return holdingForeign(found, live->calls, candidate);
}

Json BaselineArms::speedupJson(const TimedArm &candidate, Lane lane) const {
    Json speedup{{"eager", nullptr}, {"compile", nullptr}, {"sameClass", nullptr}};
    if (candidate.microseconds.empty())
        return speedup;
    double least = 0.0;
    for (const BaselineArm &arm : m_arms) {
        if (!(lane == Lane::Calls && arm.isStored() && anchor() != nullptr) && !arm.has(lane))
            continue;
        const Interval interval = speedupAgainst(arm, candidate, lane);
        const Json entry{{"value", interval.value},
                         {"low", interval.low},
                         {"high", interval.high},
                         {"arm", arm.spec.name}};
        if (arm.spec.name == "eager" || arm.spec.name == "compile")
            speedup[arm.spec.name] = entry;
        if (isEligible(arm) && (speedup["sameClass"].is_null() || interval.value < least)) {
            least = interval.value;
            speedup["sameClass"] = entry;
        }
    }
    return speedup;
}

std::string BaselineArms::store() const {
    Json arms = Json::object();
    for (const BaselineArm &arm : m_arms) {
        if (!arm.live && arm.lost.empty())
            return {}; // a quick run against one anchor replaces nothing
        if (arm.has(Lane::Calls) && foreignShare(arm.calls) > 0.0)
            return {}; // later checks would rest on it, when whoever held the processors has gone
        arms[arm.spec.name] =
            arm.has(Lane::Calls)
                ? armJson(arm.calls, Lane::Calls)
                : Json{{"lost", arm.lost.substr(0, 600)}, {"medianMicroseconds", 1e30}, {"sets", m_sets}};
    }
    return m_store.store(arms);
}

} // namespace warpwright
