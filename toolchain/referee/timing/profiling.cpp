// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/profiling.h"

#include "referee/base/secret_seed.h"
#include "referee/base/stage_answer.h"
#include "referee/process/worker_faults.h"
#include "referee/timing/speed_of_light.h"
#include "referee/verification/reference_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace warpwright {

namespace {

constexpr double warmLimitSeconds = 120.0;
constexpr int quickGraphBlocks = 6;
constexpr double quickGraphSeconds = 0.005;
constexpr double worthADoubtSeconds = 0.1;
constexpr const char *nameOfBefore = "before";
// Then the candidate's graph alone is timed, for rejectOverlap().
constexpr const char *deviceSetsThePace =
    "the quick tier measures graphs only where the processor sets the pace";
constexpr int guardingBlocks = 3;

} // namespace

Profiling::Profiling(TaskSession &session, TimedCandidate candidate, Wish wish)
    : m_session(session),
      m_source(std::move(candidate)),
      m_wish(std::move(wish)),
      m_started(monotonicNanoseconds()),
      m_waitedBefore(session.quietDevice().waitedSeconds()),
      m_arms(session, m_source.precision, planSets(session), m_wish.tier == "certify") {
    m_calls.name = m_graph.name = "candidate";
    m_twin.calls.name = m_twin.graph.name = "again";
    m_calls.isUntrusted = m_graph.isUntrusted = true;
    m_before.calls.isUntrusted = m_before.graph.isUntrusted = true;
    m_before.spec.name = m_before.calls.name = m_before.graph.name = nameOfBefore;
}

Profiling::~Profiling() = default;

void Profiling::settle(const std::string &verdict, const std::string &reason, const std::string &advice) {
    StageAnswer(m_answer).settle(verdict, reason, advice);
}

void Profiling::settleFault(const WorkerFault &fault, const std::string &advice) {
    m_ranOutOfMemory = fault.outOfMemory;
    StageAnswer stage(m_answer);
    if (m_atWork != nameOfBefore &&
        (m_session.amputation().reject(fault, stage) || rejectWriter(fault, stage)))
        return;
    const std::string words = " failed while it was timed: " + fault.phase + ". " + describe(fault);
    if (m_atWork == nameOfBefore)
        settle("inconclusive", "The text before this change, timed beside it," + words,
               "Check that text alone, then this one.");
    else
        settle("run-failed", "The candidate" + words, advice);
}

void Profiling::step(const std::string &text) {
    const std::string place = isCertify() ? " (process " + std::to_string(m_process + 1) + ")" : "";
    m_session.progress()("profile", text + place, ++m_step, m_plan.stepsBefore + m_plan.mostBlocks);
}

void Profiling::plan() {
    const int arms = m_arms.liveCount() + 1 + (isCertify() ? 1 : 0) + (m_wish.before.empty() ? 0 : 1);
    m_plan = planTiming(m_session, m_wish.tier, m_arms.sets(), arms);
    if (m_wish.limitSeconds > 0.0)
        m_plan.limitSeconds = m_wish.limitSeconds;
    if (m_wish.longerSeconds > 0.0 && !isCertify())
        planLonger(m_plan, m_session.device().memory, m_wish.longerSeconds);
    m_plan.stepsBefore = 2 + arms;
    m_arms.setInputsWarm(!m_plan.isCold);
    if (!m_session.isRoomy() && m_plan.sets == 1)
        StageAnswer(m_answer).doubt(
            "Only one input set fits the device beside the arms: it is drawn anew before each batch, but two "
            "calls of one batch see the same inputs.");
    if (!m_plan.isCold)
        StageAnswer(m_answer).doubt("The inputs are so small that " + std::to_string(m_plan.sets) +
                                    " sets fit the cache: times are with warm inputs.");
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
    m_session.phases().clear();
    plan();
    if (m_session.areCompilersAtWork()) {
        step("compile the baselines");
        m_session.awaitCompilers();
    }
    step("ceilings of the device");
    if (m_source.running)
        m_source.running->pause();
    m_session.ceilings();
    try {
        runProcesses();
    } catch (const WorkerFault &fault) {
        if (m_atWork != "candidate" && m_atWork != nameOfBefore)
            throw m_session.taskFault(fault);
        settleFault(fault,
                    fault.kind != WorkerFault::Kind::Raised
                        ? adviceFor(fault)
                        : "It passed verification once; look for state that breaks after several calls.");
    } catch (const Json::exception &problem) {
        settleFault(
            nonsenseFault(problem.what()),
            "Its process speaks with the judge in messages; nothing else may write to that descriptor.");
    }
    m_session.asTask([&] { m_session.weights().restore({}); });
    const bool isOpen = m_answer["verdict"].is_null();
    m_answer["profile"] = {
        {"status", m_answer["status"]},
        {"method", method()},
        {"clock", m_callTimer ? m_callTimer->clocks() : Json::array()},
        {"blocks", m_callTimer ? m_callTimer->blocks() : Json::array()},
        {"arms", m_arms.armsJson(m_calls, Lane::Calls)},
        {"speedOfLightMicroseconds", speedOfLightMicroseconds(m_session)},
        {"speedup", m_arms.speedupJson(isOpen ? m_calls : TimedArm(), Lane::Calls)},
        {"graph", graphJson()},
        {"before", beforeJson()},
        {"certificate", !isCertify() ? noCertificate("the quick tier certifies nothing")
                        : !isOpen    ? noCertificate("the candidate did not come so far")
                                     : certificate().toJson(m_process)},
        {"phases", m_session.phases().toJson()},
        {"memory", m_session.memoryJson()},
        {"timedOutputsChecked", m_examiner ? m_examiner->examined() : 0},
        {"examined", m_examiner ? m_examiner->toJson() : Json()},
        {"deviceSeconds", (m_callTimer ? m_callTimer->deviceSeconds() : 0.0) +
                              (m_graphTimer ? m_graphTimer->deviceSeconds() : 0.0)},
    };
    if (const double waited = m_session.quietDevice().waitedSeconds() - m_waitedBefore;
        waited > worthADoubtSeconds)
        StageAnswer(m_answer).doubt(
            "The device had other work while every process of this check was stopped; "
            "it was waited for.");
    if (m_sweep.is_object())
        m_answer["profile"]["sweep"] = m_sweep;
    if (m_provenance.is_object())
        m_answer["profile"]["provenance"] = m_provenance;
    if (isOpen)
        judge();
    m_answer["profile"]["status"] = m_answer["status"];
    m_answer["device"]["ceilings"] = m_session.ceilings().toJson();
    const std::string clockOf = ClockWitness(m_session.device()).cardUuid();
    m_answer["device"]["clockOf"] = clockOf.empty() ? Json() : Json(clockOf);
    return m_answer;
}

// ---- processes

void Profiling::runProcesses() {
    const StageAnswer stage(m_answer);
    do {
        startProcess();
        measure(Lane::Calls, m_answer);
        if (stage.isOpen())
            measureGraphs();
        if (stage.isOpen())
            askWhoseKernels();
        if (stage.isOpen())
            sweepConfigs();
        if (stage.isOpen())
            callFurther();
        if (isCertify() && stage.isOpen())
            tellProcess();
        endProcess();
        ++m_process;
    } while (stage.isOpen() && !isEnough());
    if (!stage.isOpen()) // some arm may not have run at all
        return;
    if (const std::string problem = m_arms.store(); !problem.empty())
        m_answer["doubts"].push_back(problem + " The baselines will be measured again.");
}

// Who is started first is slower by a little: in the certify tier it is another one each time.
void Profiling::startProcess() {
    m_step = 1;
    if (isCertify())
        m_source.running.reset(); // it has been looked at, and its kernels were taken out
    prepareInputs();
    if (!isCertify())
        compileBaselines();
    std::vector<std::function<void()>> starts{[this] {
        prepareCandidate();
    }};
    for (BaselineArm &arm : m_arms.all()) {
        if (arm.live)
            starts.push_back([this, &arm] { prepareBaseline(arm); });
    }
    if (!m_wish.before.empty() && m_before.lost.empty())
        starts.push_back([this] { prepareBefore(); });
    if (isCertify()) {
        if (!m_twinOf.empty())
            starts.push_back([this] { prepareTwin(); });
        std::mt19937_64 random(secretSeed());
        std::shuffle(starts.begin(), starts.end(), random);
    }
    for (const auto &start : starts)
        start();
    if (isCertify() && m_twinOf.empty()) {
        if (const BaselineArm *baseline = m_arms.quickest()) {
            m_twinOf = baseline->spec.name;
            m_twin.spec = baseline->spec;
            prepareTwin();
        }
    }
    shareEmptyBatches();
    renewWeights();
    m_atWork.clear();
}

void Profiling::prepareInputs() {
    if (m_inputs)
        return;
    step("input sets");
    std::vector<WorkerProcess *> workers{&m_session.reference()};
    if (m_source.running)
        workers.push_back(m_source.running.get());
    m_session.asTask([&] {
        m_inputs = std::make_unique<TimedInputs>(m_session, m_plan.sets, m_plan.drawSeconds, workers);
    });
    m_callTimer = std::make_unique<BlockTimer>(m_session, m_plan, m_inputs->sets(), Lane::Calls);
    m_examiner = std::make_unique<CallExaminer>(
        m_session, m_inputs->sets(),
        CallExaminer::Wish{m_source.allowedDifference, m_source.allowedWhole, m_source.hasItsSpecials,
                           m_source.allowedFromItself, m_plan.examinedOfBatch, m_plan.examineSeconds});
    m_examiner->answerTo(m_answer);
    m_callTimer->setExaminer(
        [this](TimedArm &arm, const BlockTimer::Batch &batch) { m_examiner->examine(arm, batch); });
}

void Profiling::prepareCandidate() {
    step("warm up the candidate");
    m_atWork = "candidate";
    m_worker = m_source.running ? std::move(m_source.running) : m_source.start();
    m_calls.worker = m_graph.worker = m_worker.get();
    watchFirstInputs();
    m_calls.isExamined = m_graph.isExamined = true;
    m_callTimer->prepare(m_calls, warmLimitSeconds, [this] { m_examiner->learnForm(m_calls); });
    m_worker->pause();
    m_examiner->compareTaken();
    rejectChangedInputs("while the candidate warmed up");
}

// What is overwritten before anything is timed would be what blocks begin with.
void Profiling::watchFirstInputs() {
    m_session.asTask([this] { m_inputs->watch({0, 1 % m_plan.sets, 2 % m_plan.sets}); });
}

void Profiling::rejectChangedInputs(const std::string &when, const std::string &by) {
    StageAnswer stage(m_answer);
    if (!stage.isOpen() || m_inputs->areWhole())
        return;
    stage.reject("writes-inputs", "bytes of the inputs differ " + when,
                 "The inputs were changed during the timed calls" + by +
                     "; the reference leaves them as they are.",
                 "Write results into new tensors only.");
}

// Its verdict was given when it was the candidate; here it is only timed. Without it the change is compared
// with what was measured then.
void Profiling::prepareBefore() {
    step("warm up the text before");
    m_atWork = nameOfBefore;
    try {
        m_before.worker = m_session.startCandidate(m_wish.before, nameOfBefore);
        m_before.calls.worker = m_before.graph.worker = m_before.worker.get();
        m_callTimer->prepare(m_before.calls, warmLimitSeconds);
        m_before.worker->pause();
        m_before.live = true;
    } catch (const WorkerFault &fault) {
        if (m_session.amputation().trapOf(fault) && m_session.prepareParameters())
            return prepareBefore();
        m_before.lost = describe(fault).substr(0, 600);
        m_before.live = false;
        m_before.worker.reset();
        StageAnswer(m_answer).doubt("The text before this change could not be timed beside it: " +
                                    m_before.lost);
    }
}

// What a batch costs beside its calls is the same work in every arm, and only trusted code may say it: who
// keeps the device busy during batches without calls would be paid for it in the others.
void Profiling::shareEmptyBatches() {
    double least = std::numeric_limits<double>::infinity();
    std::vector<TimedArm *> arms{&m_calls, &m_before.calls, &m_twin.calls};
    for (BaselineArm &arm : m_arms.all()) {
        if (arm.live)
            least = std::min(least, arm.calls.emptySeconds);
        arms.push_back(&arm.calls);
    }
    for (TimedArm *arm : arms)
        arm->emptySeconds = std::isfinite(least) ? least : 0.0;
}

// Once after warm-up: whoever keeps what was made of the first parameters is wrong from here on. What is
// timed has the scale of the user's own.
void Profiling::renewWeights() {
    std::vector<WorkerProcess *> others;
    for (const BaselineArm &arm : m_arms.all()) {
        if (arm.live && arm.worker)
            others.push_back(arm.worker.get());
    }
    if (m_twin.worker)
        others.push_back(m_twin.worker.get());
    m_session.asTask([&] {
        TaskWeights &weights = m_session.weights();
        weights.redraw(secretSeed(), others, TaskWeights::Draw::OwnScale);
        while (weights.areOthers() && !doesReferenceRun(m_session, m_inputs->sets()[0])) {
            if (weights.takeMoreCare())
                weights.redraw(secretSeed(), others, TaskWeights::Draw::OwnScale);
            else
                weights.restore(others);
        }
    });
    m_atWork = "candidate";
    m_session.handWeights(*m_worker);
    m_worker->pause();
    if (m_session.preparesParameters()) // what warmed up may have been kept, and computed on
        m_session.asTask([&] { m_inputs->drawAll(); });
    if (!m_before.live)
        return;
    m_atWork = nameOfBefore;
    m_session.handWeights(*m_before.worker);
    m_before.worker->pause();
}

void Profiling::endProcess() {
    if (isCertify()) { // the next processes are timed on a device without these
        m_worker.reset();
        m_twin.worker.reset();
        m_before.worker.reset();
    }
    m_session.dismiss(std::move(m_worker));
    m_session.dismiss(std::move(m_before.worker));
    for (BaselineArm &arm : m_arms.all()) {
        if (isCertify())
            arm.worker.reset();
        else
            m_session.keepArm(arm.spec, std::move(arm.worker));
    }
}

// ---- blocks

std::vector<BaselineArm *> Profiling::othersLive() {
    std::vector<BaselineArm *> arms;
    for (BaselineArm &arm : m_arms.all()) {
        if (arm.live)
            arms.push_back(&arm);
    }
    for (BaselineArm *arm : {&m_twin, &m_before}) {
        if (arm->live)
            arms.push_back(arm);
    }
    return arms;
}

// `answer` is told of results that differ: in the lane of graphs they end the lane only.
void Profiling::measure(Lane lane, Json &answer) {
    BlockTimer &timer = lane == Lane::Calls ? *m_callTimer : *m_graphTimer;
    const auto armOf = [lane](BaselineArm &arm) {
        return lane == Lane::Calls ? &arm.calls : &arm.graph;
    };
    std::vector<TimedArm *> arms{lane == Lane::Calls ? &m_calls : &m_graph};
    for (BaselineArm *arm : othersLive()) {
        if (lane == Lane::Calls || (arm->uncaptured.empty() && m_noGraphs.empty()))
            arms.push_back(armOf(*arm));
    }
    StageAnswer stage(m_answer);
    const StageAnswer own(answer);
    m_examiner->answerTo(answer);
    const auto beforeBlock = [&](int block) {
        m_atWork.clear();
        // Where the text before is timed as well, the candidate was asked right after its own calls.
        rejectChangedInputs("before the timed calls of block " + std::to_string(block),
                            m_before.live ? ", by the text before this change" : "");
        return stage.isOpen() && own.isOpen();
    };
    // The candidate stands still: none of its threads can work on these inputs before the clock runs.
    const auto renewInputs = [&](const std::vector<int> &order) {
        m_session.asTask([&] { m_inputs->refresh(order); });
        m_inputs->watch(order);
    };
    const auto afterBatch = [&](int block, TimedArm &arm) {
        m_atWork = arm.name;
        if (&arm != arms[0])
            return own.isOpen();
        m_examiner->compareTaken();
        // The text before is no more trusted, and calls on the same inputs.
        if (m_before.live) {
            arm.worker->pause();
            rejectChangedInputs("after the timed calls of block " + std::to_string(block));
        }
        return stage.isOpen() && own.isOpen();
    };
    try {
        timer.run(m_process, arms, {beforeBlock, renewInputs, afterBatch});
    } catch (const WorkerFault &) {
        if (!timer.faultyArm().empty())
            m_atWork = timer.faultyArm();
        throw;
    }
    if (stage.isOpen() && own.isOpen())
        beforeBlock(timer.blockCount());
    if (stage.isOpen() && !m_session.weights().isWhole())
        stage.reject("writes-weights", "bytes of the judge's own parameters differ after the timed calls",
                     "The candidate wrote into the judge's copy of the parameters.",
                     "load_state_dict gets copies: write into those alone.");
    m_examiner->answerTo(m_answer);
}

std::string Profiling::whyNoGraphs() const {
    if (m_session.device().memory == MemoryKind::Cpu)
        return "a CPU has no CUDA graphs";
    if (!m_session.isRoomy())
        return "the device has no room for the results of many calls";
    if (isCertify() || m_calls.isLaunchBound())
        return {};
    for (const BaselineArm &arm : m_arms.all()) {
        if (arm.live && arm.calls.isLaunchBound())
            return {};
    }
    return deviceSetsThePace;
}

// What cannot be captured has no time in this lane; that is no fault of the candidate's.
void Profiling::captureAll() {
    m_atWork = "candidate";
    watchFirstInputs();
    m_graphTimer->capture(m_graph, m_calls);
    m_worker->pause();
    rejectChangedInputs("while the candidate was captured as a graph");
    if (!m_noGraphs.empty())
        return;
    for (BaselineArm *arm : othersLive()) {
        if (!arm->uncaptured.empty())
            continue;
        try {
            m_graphTimer->capture(arm->graph, arm->calls);
        } catch (const WorkerFault &fault) {
            arm->uncaptured = describe(fault).substr(0, 600);
        }
    }
}

void Profiling::measureGraphs() {
    if (m_noGraphs.empty())
        m_noGraphs = whyNoGraphs();
    if (!m_noGraphs.empty() && m_noGraphs != deviceSetsThePace)
        return;
    if (!m_graphTimer) {
        TimingPlan plan = m_plan;
        if (!isCertify()) {
            plan.leastBlocks = plan.mostBlocks = m_noGraphs.empty() ? quickGraphBlocks : guardingBlocks;
            plan.batchSeconds = quickGraphSeconds;
        }
        m_graphTimer = std::make_unique<BlockTimer>(m_session, plan, m_inputs->sets(), Lane::Graph);
        m_graphTimer->setExaminer(
            [this](TimedArm &arm, const BlockTimer::Batch &batch) { m_examiner->examine(arm, batch); });
    }
    Json lane{{"verdict", nullptr}};
    try {
        m_examiner->answerTo(lane);
        captureAll();
        if (lane["verdict"].is_null())
            measure(Lane::Graph, lane);
        if (!lane["verdict"].is_null())
            m_noGraphs = "its results as a graph are wrong: " + lane.value("reason", "");
    } catch (const WorkerFault &fault) {
        m_noGraphs = m_atWork + " could not run as a graph: " + describe(fault).substr(0, 600);
    }
    if (!m_noGraphs.empty() && m_noGraphs != deviceSetsThePace)
        m_graph.microseconds.clear(); // they say nothing
    m_atWork.clear();
    // The session's reference goes on without what it has captured.
    if (m_session.reference().isAlive())
        m_session.asTask([&] { m_session.reference().call("drop_graph", Json::object(), 60.0); });
}

} // namespace warpwright
