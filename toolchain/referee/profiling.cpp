// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/profiling.h"

#include "referee/stage_answer.h"
#include "referee/timed_outputs.h"

#include <algorithm>
#include <cmath>

namespace warpwright {

namespace {

constexpr double compileLimitSeconds = 300.0;
constexpr double warmLimitSeconds = 120.0;

// Two processes that run the same code differ by their memory's addresses and by the order of their starts;
// blocks cannot see that. Added in quadrature to the bootstrap's half-width. HACKING.md says where each was
// measured.
constexpr double processSpreadCuda = 0.006;
constexpr double processSpreadLaunchBound = 0.025;
constexpr double processSpreadCpu = 0.04;

// Wider than that, and an interval on both sides of 1 says nothing; wider than the second, no interval does.
constexpr double wideHalfWidth = 0.15;
constexpr double uselessHalfWidth = 0.5;

} // namespace

Profiling::Profiling(TaskSession &session, Verification &verification, std::string tier, double limitSeconds)
    : m_session(session),
      m_verification(verification),
      m_tier(std::move(tier)),
      m_limitSeconds(limitSeconds),
      m_store(session.baselinesFile(), session.taskKey()) {}

Profiling::~Profiling() = default;

void Profiling::settle(const std::string &verdict, const std::string &reason, const std::string &advice) {
    m_answer["status"] = "failed";
    m_answer["verdict"] = verdict;
    m_answer["reason"] = reason;
    m_answer["advice"] = advice;
}

std::vector<Profiling::Arm> Profiling::possibleArms() const {
    const bool cuda = m_session.device().memory == MemoryKind::Cuda;
    const bool convolutions = cuda && m_session.facts().value("hasConvolution", false);
    const bool products = cuda && m_session.facts().value("hasProduct", false);
    std::vector<Arm> arms;
    const auto add = [&](const char *name, const char *mode, bool compiled, bool tf32) {
        Arm arm;
        arm.spec = {name, mode, compiled, false};
        arm.precision = tf32 ? "TF32" : "FP32";
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

void Profiling::chooseLiveArms() {
    m_arms = possibleArms();
    const Json stored = m_store.arms();
    bool all = m_tier == "certify";
    for (Arm &arm : m_arms) {
        if (stored.contains(arm.spec.name))
            arm.stored = stored[arm.spec.name];
        else
            all = true;
    }
    Arm *fastest = nullptr;
    for (Arm &arm : m_arms) {
        arm.live = all;
        const bool eligible = arm.precision == "FP32" || m_verification.measuredPrecision() != "FP32";
        if (!all && eligible && !arm.stored.contains("lost") &&
            (fastest == nullptr ||
             arm.stored.value("medianMicroseconds", 0.0) < fastest->stored.value("medianMicroseconds", 0.0)))
            fastest = &arm;
    }
    if (fastest != nullptr)
        fastest->live = true;
}

int Profiling::liveArms() const {
    return static_cast<int>(
               std::count_if(m_arms.begin(), m_arms.end(), [](const Arm &arm) { return arm.live; })) +
           1;
}

void Profiling::step(const std::string &text) {
    m_session.progress()("profile", text, ++m_step, m_plan.stepsBefore + m_plan.mostBlocks);
}

Json Profiling::run() {
    m_answer = {{"status", "passed"},
                {"verdict", nullptr},
                {"reason", ""},
                {"advice", ""},
                {"profile", nullptr},
                {"device", Json::object()},
                {"integrity", {{"status", "passed"}, {"findings", Json::array()}}},
                {"doubts", Json::array()}};
    m_candidateWorker = m_verification.takeCandidate();
    m_candidate.name = "candidate";
    m_candidate.worker = m_candidateWorker.get();
    chooseLiveArms();
    m_plan = planTiming(m_session, m_tier, liveArms(), m_verification.candidateSeconds());
    if (m_limitSeconds > 0.0)
        m_plan.limitSeconds = m_limitSeconds;
    m_plan.stepsBefore = 2 + liveArms();
    step("ceilings of the device");
    m_session.ceilings();
    try {
        prepareArms();
        measure();
    } catch (const WorkerFault &fault) {
        if (m_timer && m_timer->faultyArm() != "candidate")
            throw m_session.taskFault(fault);
        settle("run-failed",
               "The candidate failed while it was timed: " + fault.phase + ". " + describe(fault),
               "It passed verification once; look for state that breaks after several calls, and for memory "
               "that is not given back.");
    } catch (const Json::exception &problem) {
        settle("run-failed",
               "The candidate failed while it was timed: " + describe(nonsenseFault(problem.what())),
               "Its process speaks with the judge in messages; nothing else may write to that descriptor.");
    }
    m_session.asTask([&] { m_session.weights().restore({}); });
    const Json speedup = m_answer["verdict"].is_null()
                             ? speedupJson()
                             : Json{{"eager", nullptr}, {"compile", nullptr}, {"sameClass", nullptr}};
    m_answer["profile"] = {
        {"status", m_answer["verdict"].is_null() ? "passed" : "failed"},
        {"method", "wall time of the judge around batches of calls, less an empty batch; interleaved "
                   "randomised blocks, inputs rotating over " +
                       std::to_string(m_timer ? m_timer->plan().sets : 0) +
                       " sets that change before each block, cache overwritten before each batch; medians "
                       "with 95 % bootstrap "
                       "intervals over blocks, widened by the spread between processes; " +
                       (m_tier == "certify" ? "certify" : "quick") + " tier"},
        {"clock", m_timer ? m_timer->clocks() : Json::array()},
        {"blocks", m_timer ? m_timer->blocks() : Json::array()},
        {"arms", armsJson()},
        {"speedOfLightMicroseconds", speedOfLightMicroseconds()},
        {"speedup", speedup},
        {"timedOutputsChecked", m_checkedOutputs},
    };
    if (m_answer["verdict"].is_null())
        judge(speedup);
    m_answer["profile"]["status"] = m_answer["status"];
    m_answer["device"]["ceilings"] = m_session.ceilings().toJson();
    return m_answer;
}

void Profiling::prepareArms() {
    const TimingPlan &plan = m_plan;
    step("input sets");
    WorkerProcess &reference = m_session.reference();
    m_session.asTask([&] {
        m_inputs = std::make_unique<TimedInputs>(
            m_session, plan.sets, std::vector<WorkerProcess *>{&reference, m_candidateWorker.get()});
    });
    m_timer = std::make_unique<BlockTimer>(m_session, plan, m_inputs->sets());
    if (!plan.isCold)
        m_answer["doubts"].push_back("The inputs are so small that " + std::to_string(plan.sets) +
                                     " sets fit the cache: times are with warm inputs.");

    const double warmSeconds = m_session.device().memory == MemoryKind::Cuda ? 0.3 : 0.2;
    step("warm up the candidate");
    m_timer->prepare(m_candidate, warmSeconds, warmLimitSeconds);
    m_candidateWorker->pause();
    for (Arm &arm : m_arms) {
        if (!arm.live)
            continue;
        step("warm up " + arm.spec.name);
        try {
            if (arm.spec.name != "eager")
                arm.worker = m_session.startArm(arm.spec);
            arm.timed.name = arm.spec.name;
            arm.timed.worker = arm.worker ? arm.worker.get() : &reference;
            m_timer->prepare(arm.timed, warmSeconds, compileLimitSeconds);
        } catch (const WorkerFault &fault) {
            if (!arm.spec.compiled)
                throw m_session.taskFault(fault);
            // torch.compile may refuse a model; that is a missing baseline, not a wrong candidate.
            arm.lost = describe(fault);
            arm.live = false;
            arm.worker.reset();
            m_answer["doubts"].push_back("The baseline " + arm.spec.name +
                                         " could not be measured: " + arm.lost.substr(0, 600));
        }
    }
    renewWeights();
}

// Once after warm-up: whoever keeps what was made of the first parameters is wrong from here on.
void Profiling::renewWeights() {
    std::vector<WorkerProcess *> others;
    for (const Arm &arm : m_arms) {
        if (arm.live && arm.worker)
            others.push_back(arm.worker.get());
    }
    m_session.asTask([&] { m_session.weights().redraw(TaskSession::secretSeed(), others); });
    m_session.weights().handCopy(*m_candidateWorker);
    m_candidateWorker->pause();
}

void Profiling::measure() {
    std::vector<TimedArm *> arms{&m_candidate};
    for (Arm &arm : m_arms) {
        if (arm.live)
            arms.push_back(&arm.timed);
    }
    const bool mayWrite = m_session.facts().value("writesInputs", false);
    StageAnswer stage(m_answer);
    TimedOutputs outputs(m_session, m_answer, m_inputs->sets(),
                         4.0 * (m_verification.candidateError() + m_verification.referenceError()) + 1e-5);
    const auto beforeBlock = [&](int block) {
        if (!mayWrite && !m_inputs->areWhole())
            stage.reject("writes-inputs",
                         "bytes of the inputs differ after the timed calls of block " + std::to_string(block),
                         "The inputs were changed during the timed calls; the reference leaves them as they "
                         "are.",
                         "Write results into new tensors only.");
        if (stage.isOpen())
            m_session.asTask([&] { m_inputs->refresh(); });
        m_inputs->watch();
        return stage.isOpen();
    };
    const auto afterBatch = [&](int block, TimedArm &arm, const std::vector<int> &order) {
        if (&arm == &m_candidate)
            outputs.check(block, arm, order, m_timer->ringFor(order));
        return stage.isOpen();
    };
    m_timer->run(arms, beforeBlock, afterBatch);
    if (stage.isOpen())
        beforeBlock(m_timer->blockCount());
    if (stage.isOpen() && !m_session.weights().isWhole())
        stage.reject("writes-weights", "bytes of the judge's own parameters differ after the timed calls",
                     "The candidate wrote into the judge's copy of the parameters.",
                     "load_state_dict gets copies: write into those alone.");
    m_checkedOutputs = outputs.checked();
    if (stage.isOpen()) // else some arm may not have run at all
        storeBaselines();
}

void Profiling::storeBaselines() {
    Json arms = Json::object();
    for (const Arm &arm : m_arms) {
        if (!arm.live && arm.lost.empty())
            return; // a quick run against one anchor replaces nothing
        arms[arm.spec.name] = arm.live
                                  ? armJson(arm.timed, true)
                                  : Json{{"lost", arm.lost.substr(0, 600)}, {"medianMicroseconds", 1e30}};
    }
    if (const std::string problem = m_store.store(arms); !problem.empty())
        m_answer["doubts"].push_back(problem + " The baselines will be measured again.");
}

Json Profiling::armJson(const TimedArm &timed, bool live) const {
    const Interval interval = medianWithInterval(timed.microseconds);
    Json flags = Json::array();
    if (timed.wasSlowed)
        flags.push_back("slowed");
    if (m_timer && !m_timer->plan().isCold)
        flags.push_back("warm-inputs");
    if (m_session.device().memory == MemoryKind::Cuda && timed.isLaunchBound())
        flags.push_back("launch-bound");
    return {
        {"medianMicroseconds", interval.value},
        {"lowMicroseconds", interval.low},
        {"highMicroseconds", interval.high},
        {"samples", timed.microseconds.size()},
        {"live", live},
        {"flags", flags},
        {"callsPerSample", timed.calls},
        {"firstCallSeconds", timed.firstCallSeconds},
        {"emptyBatchMicroseconds", timed.emptySeconds * 1e6},
    };
}

const Profiling::Arm *Profiling::anchor() const {
    for (const Arm &arm : m_arms) {
        if (arm.live)
            return &arm;
    }
    return nullptr;
}

double Profiling::driftOfAnchor() const {
    const Arm *live = anchor();
    const double stored = live != nullptr ? live->stored.value("medianMicroseconds", 0.0) : 0.0;
    return stored > 0.0 && !live->timed.microseconds.empty() ? median(live->timed.microseconds) / stored
                                                             : 1.0;
}

Json Profiling::armsJson() {
    Json arms;
    for (const char *name :
         {"eager", "compile", "eagerStrict", "compileStrict", "eagerTf32", "compileTf32", "candidate"})
        arms[name] = nullptr;
    if (!m_candidate.microseconds.empty())
        arms["candidate"] = armJson(m_candidate, true);
    const double drift = driftOfAnchor();
    for (const Arm &arm : m_arms) {
        if (arm.live && !arm.timed.microseconds.empty()) {
            arms[arm.spec.name] = armJson(arm.timed, true);
        } else if (!arm.stored.empty() && !arm.stored.contains("lost")) {
            Json stored = arm.stored;
            for (const char *key : {"medianMicroseconds", "lowMicroseconds", "highMicroseconds"})
                stored[key] = stored.value(key, 0.0) * drift;
            stored["live"] = false;
            stored["flags"].push_back("stored");
            stored["driftOfAnchor"] = drift;
            arms[arm.spec.name] = stored;
        }
        if (arms[arm.spec.name].is_object())
            arms[arm.spec.name]["precision"] = arm.precision;
    }
    if (arms["candidate"].is_object())
        arms["candidate"]["precision"] = m_verification.measuredPrecision();
    return arms;
}

Interval Profiling::intervalWithSpread(const Interval &interval, bool launchBound) const {
    if (m_session.device().memory == MemoryKind::Cpu)
        return widened(interval, processSpreadCpu);
    return widened(interval,
                   launchBound || m_candidate.isLaunchBound() ? processSpreadLaunchBound : processSpreadCuda);
}

Interval Profiling::speedupAgainst(const Arm &arm) const {
    if (arm.live)
        return intervalWithSpread(ratioWithInterval(arm.timed.microseconds, m_candidate.microseconds),
                                  arm.timed.isLaunchBound());
    const Arm *live = anchor();
    Interval ratio = ratioWithInterval(live->timed.microseconds, m_candidate.microseconds);
    const auto half = [](const Json &stored) {
        const double center = stored.value("medianMicroseconds", 1.0);
        return (stored.value("highMicroseconds", center) - stored.value("lowMicroseconds", center)) / 2.0 /
               center;
    };
    const double scale =
        arm.stored.value("medianMicroseconds", 1.0) / live->stored.value("medianMicroseconds", 1.0);
    ratio = {ratio.value * scale, ratio.low * scale, ratio.high * scale};
    const Json flags = arm.stored.value("flags", Json::array());
    const bool launchBound =
        live->timed.isLaunchBound() || std::find(flags.begin(), flags.end(), "launch-bound") != flags.end();
    return intervalWithSpread(widened(widened(ratio, half(arm.stored)), half(live->stored)), launchBound);
}

Json Profiling::speedupJson() {
    Json speedup{{"eager", nullptr}, {"compile", nullptr}, {"sameClass", nullptr}};
    const Arm *best = nullptr;
    Interval bestInterval{};
    for (const Arm &arm : m_arms) {
        if (!arm.live && (arm.stored.empty() || arm.stored.contains("lost") || anchor() == nullptr))
            continue;
        const Interval interval = speedupAgainst(arm);
        const Json entry{{"value", interval.value},
                         {"low", interval.low},
                         {"high", interval.high},
                         {"arm", arm.spec.name}};
        if (arm.spec.name == "eager" || arm.spec.name == "compile")
            speedup[arm.spec.name] = entry;
        const bool eligible = arm.precision == "FP32" || m_verification.measuredPrecision() != "FP32";
        if (eligible && (best == nullptr || interval.value < bestInterval.value)) {
            best = &arm;
            bestInterval = interval;
            speedup["sameClass"] = entry;
        }
    }
    return speedup;
}

double Profiling::speedOfLightMicroseconds() {
    const Ceilings &ceilings = m_session.ceilings();
    const Json &facts = m_session.facts();
    const auto &allowed = m_session.allowedPrecision();
    const bool tf32 = ceilings.tf32FlopsPerSecond > 0.0 &&
                      std::find(allowed.begin(), allowed.end(), "TF32") != allowed.end();
    const double matrix = facts.value("matrixFlops", 0.0);
    const double other = facts.value("flops", 0.0) - matrix;
    const double matrixSeconds =
        matrix / (tf32 ? std::max(ceilings.tf32FlopsPerSecond, ceilings.fp32FlopsPerSecond)
                       : ceilings.fp32FlopsPerSecond);
    const double memorySeconds = facts.value("bytes", 0.0) / ceilings.bytesPerSecond();
    return std::max({matrixSeconds, other / ceilings.fp32FlopsPerSecond, memorySeconds}) * 1e6;
}

bool Profiling::isImpossible() {
    // Parameters may stay in the cache from call to call; rotating inputs and outputs cannot.
    if (!m_timer->plan().isCold)
        return false;
    const Json &facts = m_session.facts();
    const double moved =
        facts.value("bytes", 0.0) - facts.value("parameters", Json::object()).value("bytes", 0.0);
    const double floor = moved / m_session.ceilings().bytesPerSecond() * 1e6;
    return medianWithInterval(m_candidate.microseconds).high < 0.7 * floor;
}

void Profiling::judge(const Json &speedup) {
    if (m_candidate.wasSlowed)
        m_answer["doubts"].push_back("The device lowered its clock while measuring; see the clock track.");
    if (isImpossible()) {
        settle(
            "impossible",
            "The candidate took " + std::to_string(median(m_candidate.microseconds)) +
                " us a call; this device cannot even read the inputs and write the outputs in that time (" +
                std::to_string(speedOfLightMicroseconds()) + " us at its measured ceilings).",
            "Something is not computed: results kept from earlier calls, or work that runs later.");
        m_answer["integrity"]["status"] = "failed";
        m_answer["integrity"]["findings"].push_back(
            {{"kind", "impossible-time"}, {"evidence", "faster than the measured bandwidth allows"}});
        return;
    }
    if (medianWithInterval(m_candidate.microseconds).high < speedOfLightMicroseconds())
        m_answer["doubts"].push_back("The candidate is faster than the speed of light shown: that is what "
                                     "LibTorch's own operations reached on this device, not a law.");
    const Json &same = speedup["sameClass"];
    if (!same.is_object()) {
        settle("inconclusive", "No baseline of the candidate's precision could be measured.",
               "See the doubts for why the baselines failed.");
        return;
    }
    const double half = (same.value("high", 0.0) - same.value("low", 0.0)) / 2.0 / same.value("value", 1.0);
    const bool isUndecided = same.value("low", 0.0) < 1.0 && same.value("high", 0.0) > 1.0;
    // A sample of zero makes the width infinite or no number; such times decide nothing either.
    if (!std::isfinite(half)) {
        settle("inconclusive", "A measured time was zero: the clock cannot resolve this candidate.",
               "Check again; if it stays so, give the task larger inputs.");
        return;
    }
    if (half > uselessHalfWidth || (half > wideHalfWidth && isUndecided))
        settle("inconclusive",
               "The times scatter too much: the interval is " + std::to_string(std::lround(half * 100.0)) +
                   " % to each side.",
               "Let the machine do nothing else, then check again; the certify tier measures longer.");
}

} // namespace warpwright
