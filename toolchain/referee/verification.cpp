// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification.h"

#include "referee/judged_tensor.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright {

namespace {

constexpr double referenceLimitSeconds = 120.0;
constexpr int64_t variationElements = int64_t{1}
                                      << 26; ///< larger outputs are watched in their first part only

const char *const classNames[] = {"FP64", "FP32", "TF32", "FP16", "BF16"};

int rankOf(const std::string &precision) {
    const auto *found = std::find(std::begin(classNames), std::end(classNames), precision);
    return static_cast<int>(found - std::begin(classNames));
}

// The class in which a reference with outputs and inputs of these types computes.
std::string classOfTypes(const Json &tree) {
    std::string lowest = "FP32";
    bool isDouble = false;
    for (const ValueLeaf &leaf : leavesOf(tree, "")) {
        const std::string type = leaf.node.value("dtype", "");
        if (type == "bfloat16")
            return "BF16";
        if (type == "float16")
            lowest = "FP16";
        isDouble = isDouble || type == "float64";
    }
    return lowest == "FP32" && isDouble ? "FP64" : lowest;
}

Json number(double value) {
    return std::isfinite(value) ? Json(value)
                                : Json(std::isnan(value) ? "NaN"
                                       : value > 0       ? "Infinity"
                                                         : "-Infinity");
}

std::string percent(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g %%", value * 100.0);
    return text;
}

std::string scientific(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string indexText(const std::vector<int64_t> &index) {
    std::string text = "[";
    for (size_t i = 0; i < index.size(); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(index[i]);
    return text + "]";
}

} // namespace

struct Verification::Round {
    int number = 0;
    Json inputs;
    std::vector<ValueLeaf> candidate;
    std::vector<ValueLeaf> reference; ///< without TF32
    std::vector<ValueLeaf> workdir;   ///< as PyTorch comes
    std::vector<ValueLeaf> oracle;
    bool hasOracle = true;
    std::map<std::string, std::vector<ErrorSize>> yardsticks;
    std::string precision; ///< lowest of the outputs
    Json outputs = Json::array();
};

Verification::Verification(TaskSession &session) : m_session(session) {}

Verification::~Verification() = default;

at::Tensor Verification::tensorOf(const WorkerProcess &worker, const Json &node) const {
    return tensorAt(node, worker.arena().base(), worker.arena().bytes(), m_session.device().memory);
}

void Verification::settle(const std::string &verdict, const std::string &reason, const std::string &advice) {
    m_answer["status"] = "failed";
    m_answer["verdict"] = verdict;
    m_answer["reason"] = reason;
    m_answer["advice"] = advice;
}

void Verification::settleCandidateFault(const WorkerFault &fault) {
    std::string advice = "Correct the candidate; the last lines above name the place.";
    if (fault.outOfMemory)
        advice = "The candidate needs more memory than the device has left; allocate less, or close other "
                 "programs.";
    else if (fault.kind == WorkerFault::Kind::TimedOut)
        advice =
            "Look for a loop or a barrier that never ends. The process was killed; nothing of it is left.";
    else if (fault.wasKilled)
        advice =
            "Something outside killed it: a person, or the system when memory ran out (see dmesg). Check "
            "again; if it happens each time, let the candidate use less memory.";
    else if (fault.kind == WorkerFault::Kind::Died)
        advice =
            "Look for an access outside of a buffer; run the kernel under compute-sanitizer or valgrind.";
    settle("run-failed", "The candidate failed: " + fault.phase + ". " + describe(fault), advice);
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
    m_baseClass = classOfTypes({{"kind", "list"},
                                {"items", Json::array({m_session.facts().value("outputs", Json::object()),
                                                       Json{{"kind", "none"}}})}});
    try {
        startWorkers(runFolder);
        bool good = true;
        for (int number = 1; good && number <= rounds; ++number)
            good = runRound(number, rounds);
        if (good) {
            judgeVariation();
            if (m_answer["verdict"].is_null() && m_answer["workdirCriterion"]["status"] == "not-run")
                m_answer["workdirCriterion"]["status"] = "passed";
        }
    } catch (const WorkerFault &fault) {
        settleCandidateFault(fault);
    } catch (const Json::exception &problem) {
        settleCandidateFault(nonsenseFault(problem.what()));
    }
    m_answer["integrity"]["wall"] = m_session.wall();
    if (m_session.ranWithoutWall())
        m_answer["doubts"].push_back(
            "No wall stood around the candidate: it could have read and changed what you can.");
    m_oracle.reset();
    m_passed = m_answer["status"] == "passed";
    if (!m_measured.empty())
        m_answer["precision"]["measured"] = m_measured;
    if (m_answer["workdirCriterion"]["status"] != "not-run")
        m_answer["workdirCriterion"]["elementsOutside"] = m_outsideWorkdir;
    if (!m_passed)
        m_candidate.reset();
    return m_answer;
}

void Verification::startWorkers(const std::string &runFolder) {
    m_session.progress()("verify", "fp64 oracle", 1, 7);
    m_session.asTask([&] { m_oracle = m_session.startArm({"oracle", "strict", false, true}); });
    m_session.progress()("verify", "load the candidate", 2, 7);
    m_candidate = m_session.startCandidate(runFolder);
}

bool Verification::runRound(int number, int count) {
    m_session.progress()("verify", "round " + std::to_string(number) + " of " + std::to_string(count),
                         number + 2, count + 2);
    Round round;
    round.number = number;
    const uint64_t seed = TaskSession::secretSeed();
    WorkerProcess &reference = m_session.reference();
    m_session.asTask([&] {
        round.inputs = m_session.drawInputs(seed, 0);
        const bool convolutions =
            m_session.facts().value("hasConvolution", false) && m_session.device().memory == MemoryKind::Cuda;
        const Json strict = reference.call(
            "run", {{"inputs", round.inputs}, {"clone", true}, {"mode", "strict"}}, referenceLimitSeconds);
        m_referenceSeconds = std::max(m_referenceSeconds, strict.value("seconds", 0.0));
        round.reference = leavesOf(strict.at("outputs"), "output");
        round.workdir = round.reference;
        if (convolutions) {
            const Json plain =
                reference.call("run", {{"inputs", round.inputs}, {"clone", true}}, referenceLimitSeconds);
            round.workdir = leavesOf(plain.at("outputs"), "output");
        }
        try {
            const Json exact =
                m_oracle->call("run", {{"inputs", round.inputs}, {"clone", true}}, referenceLimitSeconds);
            round.oracle = leavesOf(exact.at("outputs"), "output");
        } catch (const WorkerFault &fault) {
            // Not every operator exists in fp64: then the reference itself is the measure, and the report
            // says so.
            if (fault.kind != WorkerFault::Kind::Raised)
                throw;
            round.hasOracle = false;
            round.oracle = round.reference;
            if (number == 1)
                m_answer["doubts"].push_back("The reference does not run in fp64 (" +
                                             fault.message.substr(0, 200) +
                                             "); errors are measured against the reference itself.");
        }
    });

    const at::Tensor before =
        tensorAt({{"dtype", "uint8"}, {"sizes", {m_session.inputBytes()}}, {"strides", {1}}, {"offset", 0u}},
                 m_session.inputs().base(), m_session.inputs().bytes(), m_session.device().memory)
            .clone();
    const double limit = 10.0 + 20.0 * m_referenceSeconds;
    const Json ran = m_candidate->call("run", {{"inputs", round.inputs}, {"clone", false}}, limit);
    round.candidate = leavesOf(ran.at("outputs"), "output");
    const at::Tensor after =
        tensorAt({{"dtype", "uint8"}, {"sizes", {m_session.inputBytes()}}, {"strides", {1}}, {"offset", 0u}},
                 m_session.inputs().base(), m_session.inputs().bytes(), m_session.device().memory);
    const bool inputsChanged = !at::equal(before, after);

    if (inputsChanged && !m_session.facts().value("writesInputs", false)) {
        m_answer["integrity"]["status"] = "failed";
        m_answer["integrity"]["findings"].push_back(
            {{"kind", "writes-inputs"},
             {"evidence", "bytes of the inputs differ after the call in round " + std::to_string(number)}});
        settle("rejected", "The candidate changes its inputs; the reference leaves them as they are.",
               "Write results into new tensors only.");
    } else if (shapeOfTree(ran.at("outputs")) !=
               shapeOfTree(m_session.facts().value("outputs", Json::object()))) {
        settle("wrong",
               "The candidate returns " + shapeOfTree(ran.at("outputs")) + ", the reference returns " +
                   shapeOfTree(m_session.facts().value("outputs", Json::object())) + ".",
               "Return the same structure of tensors as the reference.");
    } else {
        compareRound(round);
    }
    m_answer["rounds"].push_back({
        {"index", number},
        {"seed", seed},
        {"status", m_answer["verdict"].is_null() ? "passed" : "failed"},
        {"precision", round.precision.empty() ? Json() : Json(round.precision)},
        {"candidateSeconds", ran.value("seconds", 0.0)},
        {"outputs", round.outputs},
    });
    m_candidate->call("release", Json::object(), 60.0);
    m_oracle->call("release", Json::object(), 60.0);
    reference.call("release", Json::object(), 60.0);
    return m_answer["verdict"].is_null();
}

void Verification::noteOutput(const ValueLeaf &leaf) {
    const Json aliases = leaf.node.value("aliases", Json());
    const std::string where = aliases.is_string()
                                  ? "It shares memory with the " + aliases.get<std::string>() + "."
                                  : "It was copied to where the judge can read it.";
    if (leaf.node.value("copied", false) && m_answer["rounds"].empty())
        m_answer["doubts"].push_back("The candidate's " + leaf.path +
                                     " does not lie in memory that torch allocated. " + where);
}

void Verification::compareRound(Round &round) {
    for (size_t output = 0; output < round.candidate.size() && m_answer["verdict"].is_null(); ++output) {
        const ValueLeaf &mine = round.candidate[output];
        const ValueLeaf &theirs = round.reference[output];
        if (!mine.isTensor()) {
            if (mine.node.value("value", Json()) != theirs.node.value("value", Json()))
                settle("wrong",
                       "The candidate's " + mine.path + " is " + mine.node.dump() + ", the reference's is " +
                           theirs.node.dump() + ".",
                       "Return the same plain values as the reference.");
            continue;
        }
        if (!mine.node.contains("dtype") || !mine.node.contains("sizes"))
            throw nonsenseFault("a tensor without type or shape");
        const std::string here = describeTensor(mine.node);
        const std::string wanted = describeTensor(theirs.node);
        const std::string device = mine.node.value("device", "");
        if (here != wanted || device != theirs.node.value("device", "")) {
            settle("wrong",
                   "The candidate's " + mine.path + " is " + here + " on " + device +
                       ", the reference's is " + wanted + " on " + theirs.node.value("device", "") + ".",
                   "Return the same shape, dtype and device as the reference.");
            m_answer["worst"] = {{"round", round.number},
                                 {"output", mine.path},
                                 {"index", Json::array()},
                                 {"expected", wanted},
                                 {"actual", here}};
            continue;
        }
        noteOutput(mine);
        compareTensor(round, output);
    }
}

const std::vector<ErrorSize> &Verification::yardstick(Round &round, const std::string &precision) {
    const auto known = round.yardsticks.find(precision);
    if (known != round.yardsticks.end())
        return known->second;
    std::vector<ErrorSize> &sizes = round.yardsticks[precision];
    Json request{{"inputs", round.inputs}, {"clone", true}};
    if (precision == "TF32")
        request["mode"] = "tf32";
    else
        request["cast"] = precision == "FP16" ? "float16" : "bfloat16";
    try {
        const Json ran = m_session.reference().call("run", request, referenceLimitSeconds);
        const std::vector<ValueLeaf> leaves = leavesOf(ran.at("outputs"), "output");
        for (size_t i = 0; i < leaves.size(); ++i) {
            if (leaves[i].isTensor())
                sizes.push_back(errorOf(tensorOf(m_session.reference(), leaves[i].node),
                                        tensorOf(*m_oracle, round.oracle[i].node)));
            else
                sizes.push_back({});
        }
    } catch (const WorkerFault &fault) {
        if (fault.kind != WorkerFault::Kind::Raised)
            throw m_session.taskFault(fault);
        sizes.assign(round.candidate.size(),
                     {}); // the model does not run in this class: nothing can be of it
    }
    return sizes;
}

std::string Verification::classOf(Round &round, size_t output, const Comparison &comparison) {
    if (isWithin(comparison, comparison.reference))
        return m_baseClass;
    if (comparison.isInteger || comparison.wrongSpecials > 0 || !round.hasOracle)
        return {};
    const bool products =
        m_session.facts().value("hasProduct", false) || m_session.facts().value("hasConvolution", false);
    for (const std::string precision : {"TF32", "FP16", "BF16"}) {
        if (rankOf(precision) <= rankOf(m_baseClass))
            continue;
        if (precision == "TF32" && (!products || m_session.device().memory != MemoryKind::Cuda))
            continue;
        const ErrorSize size = yardstick(round, precision)[output];
        if (size.rms > 0.0 && isWithin(comparison, size))
            return precision;
    }
    return {};
}

void Verification::compareTensor(Round &round, size_t output) {
    const ValueLeaf &mine = round.candidate[output];
    const WorkerProcess &reference = m_session.reference();
    const at::Tensor oracle = tensorOf(round.hasOracle ? *m_oracle : reference, round.oracle[output].node);
    const Comparison comparison =
        compareOutputs(tensorOf(*m_candidate, mine.node), tensorOf(reference, round.reference[output].node),
                       tensorOf(reference, round.workdir[output].node), oracle);
    const std::string precision = classOf(round, output, comparison);
    const ErrorSize bounds = boundsFor(comparison, comparison.reference);
    round.outputs.push_back({
        {"name", mine.path},
        {"elements", comparison.elements},
        {"rmsError", number(comparison.candidate.rms)},
        {"largestError", number(comparison.candidate.largest)},
        {"referenceRmsError", number(comparison.reference.rms)},
        {"referenceLargestError", number(comparison.reference.largest)},
        {"rmsBound", number(bounds.rms)},
        {"largestBound", number(bounds.largest)},
        {"wrongSpecials", comparison.wrongSpecials},
        {"precision", precision.empty() ? Json() : Json(precision)},
    });
    m_outsideWorkdir += comparison.outsideWorkdirTolerance;
    m_answer["workdirCriterion"]["status"] = m_outsideWorkdir > 0 ? "failed" : "passed";
    watchVariation(round, output, comparison);
    const Json known = m_answer["worst"].value("relativeError", Json());
    if (!comparison.worstIndex.empty() || comparison.elements == 1) {
        if (!known.is_number() || comparison.worstError > known.get<double>() || comparison.wrongSpecials > 0)
            m_answer["worst"] = {
                {"round", round.number},
                {"output", mine.path},
                {"index", comparison.worstIndex},
                {"expected", number(comparison.worstExpected)},
                {"actual", number(comparison.worstActual)},
                {"reference", number(comparison.worstReference)},
                {"relativeError", number(comparison.worstError)},
                {"bound", number(bounds.largest)},
            };
    }
    if (!precision.empty()) {
        if (!comparison.isInteger) {
            m_worstRms = std::max(m_worstRms, comparison.candidate.rms);
            m_referenceRms = std::max(m_referenceRms, comparison.reference.rms);
        }
        if (round.precision.empty() || rankOf(precision) > rankOf(round.precision))
            round.precision = precision;
        if (m_measured.empty() || rankOf(precision) > rankOf(m_measured))
            m_measured = precision;
    }
    const auto &allowed = m_session.allowedPrecision();
    if (precision.empty()) {
        const std::string place = mine.path + indexText(comparison.worstIndex);
        std::string reason;
        if (comparison.wrongSpecials > 0)
            reason = std::to_string(comparison.wrongSpecials) + " of " + std::to_string(comparison.elements) +
                     " elements are NaN or infinite (or finite) where the reference is not";
        else if (comparison.isInteger)
            reason = percent(comparison.candidate.rms) + " of the elements differ";
        else
            reason = "the RMS error is " + scientific(comparison.candidate.rms) +
                     " of the RMS value (allowed " + scientific(bounds.rms) + "), the largest error " +
                     scientific(comparison.candidate.largest) + " (allowed " + scientific(bounds.largest) +
                     ")";
        settle("wrong",
               "The result differs from the reference in round " + std::to_string(round.number) + ": " +
                   reason + ". Worst: " + place + " is " + scientific(comparison.worstActual) +
                   ", expected " + scientific(comparison.worstExpected) + ".",
               "Start at the worst element; a wrong tail, a missing term or a race are the usual causes.");
    } else if (precision != m_baseClass &&
               std::find(allowed.begin(), allowed.end(), precision) == allowed.end()) {
        std::string list;
        for (const std::string &name : allowed)
            list += (list.empty() ? "" : ", ") + name;
        settle("wrong",
               "The result has the precision of " + precision + ", lower than this task allows (" + list +
                   "): RMS error " + scientific(comparison.candidate.rms) + ", the reference's own is " +
                   scientific(comparison.reference.rms) + ".",
               "Compute in a higher precision, or add \"" + precision +
                   "\" to `allow` in .warpwright/task.json if that is meant.");
    }
}

void Verification::watchVariation(Round &round, size_t output, const Comparison &comparison) {
    const WorkerProcess &owner = round.hasOracle ? *m_oracle : m_session.reference();
    const at::Tensor values =
        tensorOf(owner, round.oracle[output].node).reshape({-1}).slice(0, 0, variationElements);
    if (round.number == 1) {
        m_variation.push_back({round.candidate[output].path, values.clone(), 0.0, comparison.reference.rms});
        return;
    }
    for (Variation &variation : m_variation) {
        if (variation.path != round.candidate[output].path || variation.first.sizes() != values.sizes())
            continue;
        variation.largest = std::max(variation.largest, relativeDifference(variation.first, values));
        variation.referenceError = std::max(variation.referenceError, comparison.reference.rms);
    }
}

void Verification::judgeVariation() {
    if (m_answer["rounds"].size() < 2 || m_variation.empty())
        return;
    std::string evidence;
    for (const Variation &variation : m_variation) {
        if (variation.largest >= std::max(1e-3, 10.0 * variation.referenceError))
            return;
        evidence += variation.path + " moved by " + scientific(variation.largest) +
                    " of its RMS value between different inputs. ";
    }
    settle("unverifiable",
           "The reference's output hardly depends on its inputs: " + evidence + "Any constant would pass.",
           "Choose inputs or parameters for which the result varies.");
    m_answer["status"] = "failed";
}

} // namespace warpwright
