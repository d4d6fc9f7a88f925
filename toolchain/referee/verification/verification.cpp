// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/verification.h"

#include "referee/base/secret_seed.h"
#include "referee/comparison/comparison.h"
#include "referee/process/worker_faults.h"
#include "referee/verification/reference_values.h"
#include "referee/verification/warm_up.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace warpwright {

namespace {

constexpr int nearRound = 3; // with the parameters of the one before
// Of new memory, by round: NaN in every format, zero, a large number. A result may depend on none of them.
constexpr int fills[] = {0xff, 0x00, 0x7f};

} // namespace

Verification::Verification(TaskSession &session)
    : m_session(session),
      m_stage(m_answer),
      m_dependence(session, askingJudge(false)),
      m_drawn(session),
      m_parts(session) {}

Verification::~Verification() = default;

void Verification::settleCandidateFault(const WorkerFault &fault) {
    m_ranOutOfMemory = fault.outOfMemory;
    m_cameToTrap = m_session.amputation().reject(fault, m_stage);
    if (m_cameToTrap || rejectWriter(fault, m_stage))
        return;
    m_stage.settle("run-failed", "The candidate failed: " + fault.phase + ". " + describe(fault),
                   adviceFor(fault));
}

Json Verification::run(const std::string &runFolder, int rounds) {
    m_answer = {
        {"status", "passed"},
        {"verdict", nullptr},
        {"reason", ""},
        {"advice", ""},
        {"rounds", Json::array()},
        {"worst", Json::object()},
        {"workdirCriterion",
         {{"status", "not-run"},
          {"absoluteTolerance", 1e-2},
          {"relativeTolerance", 1e-2},
          {"elementsOutside", nullptr}}},
        {"precision", {{"allowed", m_session.allowedPrecision()}, {"measured", nullptr}}},
        {"integrity", {{"status", "passed"}, {"wall", nullptr}, {"findings", Json::array()}}},
        {"doubts", Json::array()},
    };
    m_runFolder = runFolder;
    m_session.phases().clear();
    m_judge = std::make_unique<ResultJudge>(m_session, m_answer);
    m_memory = std::make_unique<ResultMemory>(m_session, m_answer);
    m_session.asTask([&] {
        m_session.leaveOneInputSet();
        m_session.weights().restore({}); // the candidate before had others when it was timed
    });
    try {
        startWorkers(runFolder);
        runRounds(rounds);
        if (m_stage.isOpen()) {
            judgeOperators(m_operators);
            judgeLibraries();
            watchLaterCall();
            judgeStateWork();
            knockOut(runFolder);
        }
        if (m_stage.isOpen())
            stress();
        if (m_stage.isOpen() && !m_session.weights().carriesSignal())
            m_parts.doubt(m_stage);
        if (m_stage.isOpen() && m_answer["workdirCriterion"]["status"] == "not-run")
            m_answer["workdirCriterion"]["status"] = "passed";
    } catch (const WorkerFault &fault) {
        settleCandidateFault(fault);
    } catch (const Json::exception &problem) {
        settleCandidateFault(nonsenseFault(problem.what()));
    }
    if (!m_session.degeneracy().empty())
        m_answer["task"] = {{"degenerate", {{"reason", m_session.degeneracy()}}}};
    // Whatever comes next starts with the parameters that the constructor made, whatever this one wrote
    // there.
    watchWeights();
    m_session.asTask([&] {
        m_parts.draw(TaskParts::Drawn::AsTheyAre);
        m_session.weights().restore({});
    });
    m_pieces.reset();
    m_session.keepArm(m_session.oracleArm(), std::move(m_oracle));
    m_session.referenceCheck().tell(m_stage);
    m_answer["integrity"]["wall"] = m_session.sandbox();
    if (m_session.ranWithoutSandbox())
        m_answer["doubts"].push_back(
            "No sandbox stood around the candidate: it could have read and changed what you can.");
    for (const std::string &doubt : {m_session.arithmeticDoubt(), m_session.codeDoubt()})
        if (!doubt.empty())
            m_stage.doubt(doubt);
    if (const std::string &doubt = m_session.memoryPlan().doubt; !doubt.empty())
        m_stage.doubt(doubt);
    m_answer["phases"] = m_session.phases().toJson();
    m_answer["memory"] = m_session.memoryJson();
    m_passed = m_answer["status"] == "passed";
    if (!m_judge->measured().empty())
        m_answer["precision"]["measured"] = m_judge->measured();
    if (m_answer["workdirCriterion"]["status"] != "not-run")
        m_answer["workdirCriterion"]["elementsOutside"] = m_judge->outsideWorkdir();
    if (!m_passed)
        m_candidate.reset();
    else if (m_candidate)
        m_candidate->pause(); // until it is timed the device may be somebody else's
    return m_answer;
}

TimedCandidate Verification::handOn() {
    TimedCandidate candidate;
    candidate.start = [this] {
        return m_session.startCandidate(m_runFolder);
    };
    candidate.running = std::move(m_candidate);
    candidate.precision = m_judge->measured();
    candidate.allowedDifference = 4.0 * (m_judge->worstRms() + m_judge->referenceRms()) + 1e-5;
    candidate.allowedWhole = 4.0 * m_judge->wholeDifference();
    candidate.hasItsSpecials = m_hasItsSpecials;
    candidate.allowedFromItself = m_judge->allowedFromItself();
    if (m_session.isRoomy() && m_session.device().memory == MemoryKind::Cpu) // never tried on a card
        candidate.callLater = [this](WorkerProcess &worker, const Json &inputs, const Json &others) {
            return callLater(worker, inputs, others);
        };
    if (m_readsConstants)
        candidate.drawConstants = [this](bool areOthers) {
            areOthers ? (void)m_parts.drawConstants() : m_parts.draw(TaskParts::Drawn::AsTheyAre);
        };
    return candidate;
}

void Verification::startWorkers(const std::string &runFolder) {
    WarmUp warmUp(m_session.device().memory, m_session.facts().value("outputs", Json::object()));
    m_session.progress()("verify", "fp64 oracle", 1, 8);
    m_session.asTask([&] { m_oracle = m_session.takeArm(m_session.oracleArm()); });
    if (m_session.memoryPlan().oracle == MemoryPlan::Oracle::Pieces)
        m_pieces = std::make_unique<OraclePieces>(m_session, *m_oracle);
    m_session.progress()("verify", "load the candidate", 2, 8);
    if (m_session.device().memory == MemoryKind::Cuda && m_session.isRoomy())
        startBesideTrusted(runFolder);
    else
        m_candidate = m_session.startCandidate(runFolder);
    m_session.expectCompiledArms();
    const Phases::Span span(m_session.phases(), "compare");
    warmUp.wait();
}

// A device loads a kernel when it is first used: the oracle's and the reference's while the candidate starts.
void Verification::startBesideTrusted(const std::string &runFolder) {
    Json request = {{"clone", true}};
    m_session.asTask([&] { request["inputs"] = m_session.drawInputs(secretSeed()); });
    {
        const PendingCall oracle(*m_oracle, "run", request, referenceLimitSeconds);
        request["mode"] = "strict";
        const PendingCall reference(m_session.reference(), "run", request, referenceLimitSeconds);
        m_candidate = m_session.startCandidate(runFolder);
    }
    // What failed there fails again in the first round, and is told there.
    m_session.asTask([&] {
        m_oracle->call("release", Json::object(), 60.0);
        m_session.reference().call("release", Json::object(), 60.0);
    });
}

// What the oracle and the reference make of the round's inputs. On a GPU both at once: each waits for the
// device most of the time. On a CPU each wants all of its processors.
void Verification::runTrusted(VerificationRound &round) {
    const Phases::Span span(m_session.phases(), "reference");
    const Json request = {{"inputs", round.inputs}, {"clone", m_session.clonesInputs()}};
    if (!m_session.isRoomy())
        return runOracle(round, request);
    std::optional<PendingCall> exact;
    if (m_session.device().memory == MemoryKind::Cuda)
        exact.emplace(*m_oracle, "run", request, referenceLimitSeconds);
    runReference(round, request);
    if (!exact)
        exact.emplace(*m_oracle, "run", request, referenceLimitSeconds);
    try {
        round.oracle = leavesOf(exact->wait().at("outputs"), "output");
        round.hasOracle = true;
    } catch (const WorkerFault &fault) {
        // Not every operator exists in fp64: then the reference itself is the measure, and the report says
        // so.
        if (fault.kind != WorkerFault::Kind::Raised)
            throw;
        measureByReference(round);
        if (!std::exchange(m_saidNoOracle, true))
            m_stage.doubt("The reference does not run in fp64 (" + fault.message.substr(0, 200) +
                          "); errors are measured against the reference itself.");
    }
}

void Verification::runReferenceAlone(VerificationRound &round) {
    const Phases::Span span(m_session.phases(), "reference");
    runReference(round, {{"inputs", round.inputs}, {"clone", m_session.clonesInputs()}});
    measureByReference(round);
}

// Its own results stand for the oracle's.
void Verification::measureByReference(VerificationRound &round) {
    round.oracle = round.reference;
    round.hasOracle = false;
}

void Verification::runReference(VerificationRound &round, const Json &request) {
    WorkerProcess &reference = m_session.reference();
    Json strictRequest = request;
    strictRequest["mode"] = "strict";
    const Json strict = reference.call("run", strictRequest, referenceLimitSeconds);
    m_referenceSeconds = std::max(m_referenceSeconds, strict.value("seconds", 0.0));
    round.reference = leavesOf(strict.at("outputs"), "output");
    round.workdir = round.reference;
    m_session.trim(reference);
    if (m_session.facts().value("hasConvolution", false) && m_session.device().memory == MemoryKind::Cuda &&
        m_session.isRoomy()) {
        const Json plain = reference.call("run", request, referenceLimitSeconds);
        round.workdir = leavesOf(plain.at("outputs"), "output");
    }
}

bool Verification::runRound(int number, int count, bool newWeights) {
    m_session.progress()("verify", "round " + std::to_string(number) + " of " + std::to_string(count),
                         number + 2, count + 3);
    VerificationRound round;
    round.number = number;
    // Whoever keeps results of inputs that never differed may know them by a few of their numbers.
    round.isNearLast = number == nearRound && m_session.areInputsFixed();
    round.seed = round.isNearLast ? m_lastSeed : secretSeed();
    m_lastSeed = round.seed;
    round.fill = fills[static_cast<size_t>(number - 1) % std::size(fills)];
    // Until its call: what one of its threads wrote there now, the reference would take for drawn.
    m_candidate->pause();
    m_session.asTask([&] {
        round.inputs = round.isNearLast ? m_session.drawNearly(round.seed) : m_session.drawInputs(round.seed);
        m_drawn.remember();
        m_areInputsOthers = false;
        if (!newWeights)
            return;
        // First with the old parameters: what moves then is moved by the new ones alone.
        if (!m_session.isDependenceShown(m_judge->measuredRank())) {
            runTrusted(round);
            watchDependence(round);
            releaseTrusted();
        }
        m_session.weights().redraw(secretSeed(), {m_oracle.get()});
    });
    round.hasOwnWeights = m_session.weights().areOthers();
    m_session.asTask([&] {
        if (newWeights && round.hasOwnWeights)
            runWithOthers(round);
        else
            runTrusted(round);
    });
    if (newWeights && round.hasOwnWeights)
        m_session.handWeights(*m_candidate);
    const bool isGood = runCandidate(round, number != 1);
    if (isGood && newWeights && m_session.weights().areOthers() &&
        !m_session.isDependenceShown(m_judge->measuredRank()))
        m_dependence.weightsMoved(round, ownerOf(round));
    if (isGood)
        watchDependence(round);
    if (isGood && number == 1)
        lookAtParts(round);
    if (m_session.isRoomy()) {
        release(1); // the candidate's results stay until the next ones have come
        return isGood;
    }
    // A call after the rounds says whether they would have.
    m_memory->forget();
    release(0);
    m_judge->judgeClasses(round, *m_candidate, *m_oracle);
    return m_stage.isOpen();
}

// NaN beside NaN proves nothing, and neither does an error (a matrix that has to be positive definite): where
// only the new parameters make them, others are drawn, nearer to the reference's own.
void Verification::runWithOthers(VerificationRound &round) {
    TaskWeights &weights = m_session.weights();
    ReferenceCheck &check = m_session.referenceCheck();
    while (true) {
        if (runsTrusted(round) &&
            (!round.hasOwnWeights || !makesNewSpecials(check, round, m_session.reference())))
            return;
        if (weights.takeMoreCare())
            weights.redraw(secretSeed(), {m_oracle.get()});
        else
            weights.restore({m_oracle.get()});
        check.noteCare(weights.care());
        round.hasOwnWeights = weights.areOthers();
        releaseTrusted();
    }
}

// Whether it does; with the reference's own parameters it has to.
bool Verification::runsTrusted(VerificationRound &round) {
    try {
        runTrusted(round);
        return true;
    } catch (const WorkerFault &fault) {
        if (!round.hasOwnWeights || fault.kind != WorkerFault::Kind::Raised || fault.outOfMemory)
            throw;
        return false;
    }
}

// Whose memory holds the round's oracle results.
const WorkerProcess &Verification::ownerOf(const VerificationRound &round) const {
    return round.hasOracle ? *m_oracle : m_session.reference();
}

bool Verification::runCandidate(VerificationRound &round, bool isRecorded) {
    const double limit = 10.0 + 20.0 * m_referenceSeconds;
    const Json ran = m_candidate->call("run",
                                       {{"inputs", round.inputs},
                                        {"clone", false},
                                        {"fill", round.fill},
                                        {"guard", ResultMemory::guardBytes},
                                        {"record", isRecorded}},
                                       limit);
    const Phases::Span span(m_session.phases(), "compare");
    round.candidate = leavesOf(ran.at("outputs"), "output");
    m_lastInputs = round.inputs;
    noteShapes(m_session.referenceCheck(), round, m_session.facts());
    const double seconds = ran.value("seconds", 0.0);
    if (isRecorded && ran.contains("operators") && ran["operators"].is_object() &&
        (m_operators.is_null() || m_operators.empty()))
        m_operators = ran["operators"];
    if (isRecorded && m_onState.empty())
        m_onState = ran.value("onState", Json());
    if (isRecorded)
        m_libraries.add(ran.value("libraries", Json()));
    const std::string wanted = shapeOfTree(m_session.facts().value("outputs", Json::object()));
    if (!m_drawn.areWhole())
        rejectWrittenInputs(round.number);
    else if (shapeOfTree(ran.at("outputs")) != wanted)
        m_stage.settle("wrong",
                       "The candidate returns " + shapeOfTree(ran.at("outputs")) +
                           ", the reference returns " + wanted + ".",
                       "Return the same structure of tensors as the reference.");
    else {
        m_session.trim(*m_candidate);
        if (round.exact)
            m_candidate->pause(); // the oracle reads the inputs from here on
        m_judge->judge(round, *m_candidate, *m_oracle);
        if (m_answer["verdict"] == "wrong")
            round.failureMap = m_judge->mapOf(round, *m_candidate, ownerOf(round), *m_memory);
        if (round.exact && !m_drawn.areWhole())
            rejectWrittenInputs(round.number);
        explain(round);
        m_hasItsSpecials = m_hasItsSpecials && m_stage.isOpen() && m_session.isRoomy() &&
                           haveSameSpecials(round, *m_candidate, m_session.reference());
        m_memory->watch(round, *m_candidate);
    }
    m_answer["rounds"].push_back({
        {"index", round.number},
        {"seed", round.seed},
        {"status", m_stage.isOpen() ? "passed" : "failed"},
        {"precision", round.precision.empty() ? Json() : Json(round.precision)},
        {"candidateSeconds", seconds},
        {"otherParameters", round.hasOwnWeights},
        {"carriesSignal", round.hasOwnWeights && m_session.weights().carriesSignal()},
        {"fill", round.fill},
        {"outputs", round.outputs},
    });
    if (!round.failureMap.is_null())
        m_answer["rounds"].back()["failureMap"] = std::move(round.failureMap);
    return m_stage.isOpen();
}

void Verification::rejectWrittenInputs(int round) {
    m_stage.reject("writes-inputs",
                   "bytes of the inputs differ after the call in round " + std::to_string(round),
                   "The candidate changes its inputs; the reference leaves them as they are.",
                   "Write results into new tensors only.");
}

// What is right in the other mode, train or eval, is no mistake of the kernel's.
void Verification::explain(const VerificationRound &round) {
    if (m_answer["verdict"] != "wrong")
        return;
    if (round.isNearLast)
        return m_stage.explain(
            "The inputs of this round are those of the round before, in which a few numbers traded "
            "places: a result that was kept from there is wrong here.",
            "Compute in each call; if results are kept, know an input by all of its numbers.");
    if (const auto [reason, advice] = wordsOfState(m_answer["worst"].value("output", "")); !reason.empty())
        return m_stage.explain(reason, advice);
    m_session.asTask([&] {
        WorkerProcess &reference = m_session.reference();
        if (!m_session.isRoomy())
            releaseTrusted(); // nobody needs them any more
        try {
            if (isOfOtherMode(round, *m_candidate, reference, m_session.clonesInputs())) {
                const auto [reason, advice] = wordsOfOtherMode(m_session.referenceCheck().trains());
                m_stage.explain(reason, advice);
            }
        } catch (const WorkerFault &fault) {
            if (fault.kind != WorkerFault::Kind::Raised)
                throw; // else there is no other mode
        }
        m_session.weights().give(reference);
    });
}

void Verification::release(int keptByCandidate) {
    PendingCall byCandidate(*m_candidate, "release", {{"keep", keptByCandidate}}, 60.0);
    releaseTrusted();
    byCandidate.wait();
    m_session.trim(*m_candidate);
}

void Verification::releaseTrusted() {
    PendingCall byOracle(*m_oracle, "release", Json::object(), 60.0);
    PendingCall byReference(m_session.reference(), "release", Json::object(), 60.0);
    byOracle.wait();
    byReference.wait();
    m_session.trim({m_oracle.get(), &m_session.reference()});
}

void Verification::watchWeights() {
    const Phases::Span span(m_session.phases(), "weights");
    if (m_session.weights().isWhole())
        return;
    m_session.asTask([&] { m_session.weights().mend(); });
    m_stage.reject("writes-weights", "bytes of the judge's own parameters differ after the rounds",
                   "The candidate wrote into the judge's copy of the parameters.",
                   "load_state_dict gets copies: write into those alone.");
}

} // namespace warpwright
