// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/result_judge.h"

#include "referee/base/report_text.h"
#include "referee/base/secret_seed.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/comparison/plain_values.h"
#include "referee/comparison/precision_class.h"
#include "referee/verification/class_evidence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpwright {

namespace {

constexpr double referenceLimitSeconds = 120.0;
// Of the result's RMS value: what a class errs by more (numbers too small for it are zeros there) measures
// nothing.
constexpr double largestYardstick = 0.5;
constexpr const char *jitteredName = "jittered"; ///< among a round's yardsticks
constexpr size_t mostJittered = 8;
constexpr double farFromOwn = 32.0;     ///< times what is allowed: no operation's rounding explains it
constexpr double farFromJittered = 4.0; ///< nor would more runs

// The largest of so many errors beside their RMS: of normal ones, and more where an algorithm's are not alike
// everywhere. In Winograd's tiles of 4 by 4 they were up to 26 times the RMS, of 2.6e5 elements.
double tailOf(int64_t elements) {
    return 16.0 + std::sqrt(2.0 * std::log(static_cast<double>(std::max<int64_t>(elements, 2))));
}

// The strides of a tensor of these sizes that lies densely in the order of its dimensions.
bool isContiguous(const Json &node) {
    int64_t expected = 1;
    const Json &sizes = node.at("sizes");
    const Json &strides = node.at("strides");
    for (size_t i = sizes.size(); i-- > 0;) {
        if (sizes[i] != 1 && strides[i] != expected)
            return false;
        expected *= sizes[i].get<int64_t>();
    }
    return true;
}

bool haveSameStrides(const Json &mine, const Json &theirs) {
    for (size_t i = 0; i < mine.at("sizes").size(); ++i) {
        if (mine["sizes"][i] != 1 && mine.at("strides")[i] != theirs.at("strides")[i])
            return false;
    }
    return true;
}

} // namespace

ResultJudge::ResultJudge(TaskSession &session, Json &answer)
    : m_session(session),
      m_answer(answer),
      m_stage(answer),
      m_baseClass(classOfTypes({{"kind", "list"},
                                {"items", Json::array({session.facts().value("outputs", Json::object()),
                                                       Json{{"kind", "none"}}})}})) {}

at::Tensor ResultJudge::tensorOf(const WorkerProcess &worker, const Json &node) const {
    return tensorAt(node, worker.arena());
}

void ResultJudge::judge(VerificationRound &round, WorkerProcess &candidate, WorkerProcess &oracle) {
    std::vector<Weighed> weighed;
    for (size_t output = 0; output < round.candidate.size() && m_stage.isOpen(); ++output) {
        if (!judgeForm(round, output) || !round.candidate[output].isTensor())
            continue;
        weighed.push_back(weigh(round, output, candidate, oracle));
        if (weighed.back().precision.empty())
            break;
    }
    if (m_session.isRoomy())
        checkClasses(round, weighed, candidate, oracle);
    for (size_t i = 0; i < weighed.size() && (m_stage.isOpen() || i == 0); ++i)
        settle(round, weighed[i], candidate, oracle);
    m_weighed = std::move(weighed);
}

void ResultJudge::judgeClasses(VerificationRound &round, WorkerProcess &candidate, WorkerProcess &oracle) {
    if (!m_stage.isOpen())
        return;
    checkClasses(round, m_weighed, candidate, oracle);
    for (const Weighed &one : m_weighed) {
        if (one.refusedClass.empty() || !m_stage.isOpen())
            continue;
        settleWrong(round, one, boundsFor(one.comparison, one.comparison.yardstick), candidate, oracle);
        m_answer["rounds"].back()["status"] = "failed";
    }
}

ResultJudge::Weighed ResultJudge::weigh(VerificationRound &round, size_t output,
                                        const WorkerProcess &candidate, WorkerProcess &oracle) {
    Weighed weighed{output, compared(round, output, candidate, oracle), {}, {}, {}};
    weighed.precision = classOf(round, output, weighed.comparison, oracle, m_baseClass);
    if (weighed.comparison.isInteger && weighed.precision.empty() && round.hasOracle) {
        IntegerVerdict verdict = judgeWholeNumbers(round, output, candidate, oracle);
        if (verdict.isRight)
            weighed.precision = m_baseClass;
        weighed.words = std::move(verdict.words);
    }
    return weighed;
}

// What they mean is asked where they differ: the oracle runs once more, and so does the reference.
IntegerVerdict ResultJudge::judgeWholeNumbers(const VerificationRound &round, size_t output,
                                              const WorkerProcess &candidate, WorkerProcess &oracle) {
    WorkerProcess &reference = m_session.reference();
    const at::Tensor mine = tensorOf(candidate, round.candidate[output].node);
    const at::Tensor theirs = tensorOf(reference, round.reference[output].node);
    // Where the oracle's results do not lie beside the candidate's, the reference's own values are the
    // measure.
    const bool hasExact = !round.exact && oracle.arena().kind() == candidate.arena().kind();
    try {
        const IntegerOrigin own = originOf(reference, round, output);
        const IntegerOrigin exact = hasExact ? originOf(oracle, round, output) : own;
        const IntegerVerdict verdict = judgeIntegers(
            mine, theirs, hasExact ? tensorOf(oracle, round.oracle[output].node) : theirs, exact, own);
        if (hasExact)
            oracle.call("release", {{"last", 1}}, referenceLimitSeconds);
        reference.call("release", {{"last", 1}}, referenceLimitSeconds);
        return verdict;
    } catch (const WorkerFault &fault) {
        if (!fault.outOfMemory || m_session.isRoomy())
            throw m_session.taskFault(fault);
    }
    return {false, "nothing more is known: the device has no room for a look at where they come from"};
}

IntegerOrigin ResultJudge::originOf(WorkerProcess &worker, const VerificationRound &round,
                                    size_t output) const {
    const Json told =
        worker.call("trace_origins", {{"inputs", round.inputs}, {"clone", m_session.clonesInputs()}},
                    referenceLimitSeconds);
    const std::vector<ValueLeaf> leaves = leavesOf(told.at("origins"), "output");
    IntegerOrigin origin;
    if (output >= leaves.size())
        return origin;
    const Json &node = leaves[output].node;
    const std::string kind = node.value("kind", "");
    if (kind == "choice") {
        origin.kind = IntegerOrigin::Kind::Choice;
        origin.keys = tensorOf(worker, node.at("keys"));
        origin.rows = tensorOf(worker, node.at("rows"));
        origin.isOnce = node.value("once", false);
    } else if (kind == "step") {
        origin.kind = IntegerOrigin::Kind::Step;
        origin.values = tensorOf(worker, node.at("values"));
        origin.rounding = node.value("rounding", "");
    }
    return origin;
}

// Each output and class once with the parameters that the constructor made, and once with others: what is
// left out may only show with them.
void ResultJudge::checkClasses(VerificationRound &round, std::vector<Weighed> &weighed,
                               WorkerProcess &candidate, WorkerProcess &oracle) {
    const auto keyOf = [&round](const Weighed &one) {
        return std::to_string(one.output) + one.precision + (round.hasOwnWeights ? "*" : "");
    };
    std::vector<ClassClaim> claims;
    for (const Weighed &one : weighed) {
        if (!one.precision.empty() && one.precision != m_baseClass && !m_believed.contains(keyOf(one)))
            claims.push_back(
                {one.output, one.precision,
                 boundsFor(one.comparison, one.comparison.yardstick).rms * one.comparison.oracleRms});
    }
    if (claims.empty())
        return;
    believeClaims(m_session, round, claims, candidate, oracle);
    bool isAskedAgain = false;
    for (const ClassClaim &claim : claims) {
        Weighed &one = *std::find_if(weighed.begin(), weighed.end(),
                                     [&](const Weighed &other) { return other.output == claim.output; });
        if (claim.isBelieved) {
            m_believed.insert(keyOf(one));
            one.refusedClass.clear();
            continue;
        }
        // Little may have been rounded to fewer bits: then the error is of a class of more.
        if (one.refusedClass.empty())
            one.refusedClass = claim.precision;
        one.precision = m_session.isRoomy()
                            ? classOf(round, one.output, one.comparison, oracle, claim.precision)
                            : std::string();
        isAskedAgain = isAskedAgain || !one.precision.empty();
    }
    if (isAskedAgain)
        checkClasses(round, weighed, candidate, oracle);
}

// Everything but the numbers. True: there are numbers to compare.
bool ResultJudge::judgeForm(const VerificationRound &round, size_t output) {
    const ValueLeaf &mine = round.candidate[output];
    const ValueLeaf &theirs = round.reference[output];
    if (!mine.isTensor()) {
        const bool hasExact = !round.exact && output < round.oracle.size();
        if (!arePlainEqual(mine.node, theirs.node, hasExact ? round.oracle[output].node : theirs.node))
            m_stage.settle("wrong",
                           "The candidate's " + mine.path + " is " + describePlain(mine.node) +
                               ", the reference's is " + describePlain(theirs.node) + ".",
                           "Return the same plain values as the reference.");
        return m_stage.isOpen();
    }
    if (!mine.node.contains("dtype") || !mine.node.contains("sizes"))
        throw nonsenseFault("a tensor without type or shape");
    const std::string here = describeTensor(mine.node);
    const std::string wanted = describeTensor(theirs.node);
    const std::string device = mine.node.value("device", "");
    if (here != wanted || device != theirs.node.value("device", "")) {
        m_stage.settle("wrong",
                       "The candidate's " + mine.path + " is " + here + " on " + device +
                           ", the reference's is " + wanted + " on " + theirs.node.value("device", "") + ".",
                       "Return the same shape, dtype and device as the reference.");
        m_answer["worst"] = {{"round", round.number},
                             {"output", mine.path},
                             {"index", Json::array()},
                             {"expected", wanted},
                             {"actual", here}};
        return false;
    }
    if (const std::string type = mine.node.value("type", ""); type != "Tensor" && type != "Parameter") {
        m_stage.settle("wrong",
                       "The candidate's " + mine.path + " is a " + type + ", not a plain torch.Tensor.",
                       "Return plain tensors: a subclass may compute when somebody looks.");
        return false;
    }
    const Json strides = mine.node.value("strides", Json());
    if (!strides.is_array() || strides.size() != mine.node.at("sizes").size()) {
        m_stage.settle("run-failed", "The candidate's " + mine.path + " was reported without strides.",
                       "Return ordinary dense tensors on the device.");
        return false;
    }
    if (!haveSameStrides(mine.node, theirs.node) && !isContiguous(mine.node)) {
        m_stage.settle("wrong",
                       "The candidate's " + mine.path + " has the strides " + mine.node.at("strides").dump() +
                           ", neither the reference's (" + theirs.node.at("strides").dump() +
                           ") nor those of a contiguous tensor.",
                       "Write the result into a tensor of its own, in the reference's order.");
        return false;
    }
    return true;
}

const std::vector<std::vector<ErrorSize>> &
ResultJudge::yardsticks(VerificationRound &round, const std::string &precision, WorkerProcess &oracle) {
    const auto known = round.yardsticks.find(precision);
    if (known != round.yardsticks.end())
        return known->second;
    std::vector<std::vector<ErrorSize>> &sizes = round.yardsticks[precision];
    for (const Json &options : yardsticksOf(precision, m_session.device().memory)) {
        try {
            sizes.push_back(measured(round, options, oracle));
        } catch (const WorkerFault &fault) {
            // The model does not run in this class: nothing can be of it.
            if (fault.kind != WorkerFault::Kind::Raised || fault.outOfMemory)
                throw m_session.taskFault(fault);
        }
    }
    return sizes;
}

std::vector<ErrorSize> ResultJudge::measured(VerificationRound &round, const Json &options,
                                             WorkerProcess &oracle) {
    WorkerProcess &reference = m_session.reference();
    Json request{{"inputs", round.inputs}, {"clone", m_session.clonesInputs()}};
    request.update(options);
    if (round.exact)
        m_session.asTask([&] { round.forgetExact(); });
    const Json ran = reference.call("run", request, referenceLimitSeconds);
    m_session.trim(reference);
    const std::vector<ValueLeaf> leaves = leavesOf(ran.at("outputs"), "output");
    std::vector<ErrorSize> sizes(leaves.size());
    for (size_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i].isTensor())
            sizes[i] = errorOf(tensorOf(reference, leaves[i].node),
                               round.oracleValues(i, round.hasOracle ? oracle : reference));
    }
    if (!m_session.isRoomy())
        reference.call("release", {{"last", 1}}, referenceLimitSeconds);
    return sizes;
}

// Asked only where the reference's own error does not allow it: most candidates are as good as that.
bool ResultJudge::isOfOwnClass(VerificationRound &round, size_t output, Comparison &comparison,
                               WorkerProcess &oracle) {
    ErrorSize &yardstick = comparison.yardstick;
    std::vector<std::vector<ErrorSize>> &runs = round.yardsticks[jitteredName];
    for (size_t run = 0; !isWithin(comparison, yardstick); ++run) {
        const bool isNear = comparison.candidate.rms <= farFromOwn * boundsFor(comparison, yardstick).rms;
        if (comparison.isInteger || comparison.wrongSpecials > 0 || !isNear || run == mostJittered ||
            (run > 0 && excessOf(comparison, yardstick) > farFromJittered))
            return false;
        try {
            if (run == runs.size())
                runs.push_back(measured(round, {{"mode", "strict"}, {"jitter", secretSeed() >> 1}}, oracle));
        } catch (const WorkerFault &fault) {
            if (fault.kind != WorkerFault::Kind::Raised || fault.outOfMemory)
                throw m_session.taskFault(fault);
            return false; // a forward that cannot be watched
        }
        yardstick.widen(runs[run].at(output));
        yardstick.largest = std::max(yardstick.largest, yardstick.rms * tailOf(comparison.elements));
    }
    return true;
}

std::string ResultJudge::classOf(VerificationRound &round, size_t output, Comparison &comparison,
                                 WorkerProcess &oracle, const std::string &after) {
    if (after == m_baseClass && isOfOwnClass(round, output, comparison, oracle))
        return m_baseClass;
    if (comparison.isInteger || comparison.wrongSpecials > 0 || !round.hasOracle)
        return {};
    const bool products =
        m_session.facts().value("hasProduct", false) || m_session.facts().value("hasConvolution", false);
    // What the task allows comes first: an error of fewer bits than that may have is one of it, too.
    std::vector<std::string> classes{"TF32", "FP16", "BF16"};
    std::stable_partition(classes.begin(), classes.end(),
                          [this](const std::string &name) { return isAllowed(name); });
    auto next = std::find(classes.begin(), classes.end(), after);
    for (next = next == classes.end() ? classes.begin() : next + 1; next != classes.end(); ++next) {
        const std::string &precision = *next;
        if (rankOf(precision) <= rankOf(m_baseClass))
            continue;
        // A CPU has no such unit: what rounds like one does so where the task wants it.
        if (precision == "TF32" &&
            (!products || (m_session.device().memory != MemoryKind::Cuda && !isAllowed(precision))))
            continue;
        for (const std::vector<ErrorSize> &sizes : yardsticks(round, precision, oracle)) {
            if (sizes[output].rms > 0.0 && sizes[output].rms < largestYardstick &&
                isWithin(comparison, sizes[output]))
                return precision;
        }
    }
    return {};
}

double ResultJudge::allowedFromItself() const {
    const bool hasFewBits = m_baseClass == "FP16" || m_baseClass == "BF16";
    const double own = m_measured == m_baseClass ? 4.0 * m_worstRms : 0.0;
    return std::max(own, (hasFewBits ? 1.0 : 4.0) * m_referenceRms) + 0x1p-22;
}

int ResultJudge::measuredRank() const {
    return rankOf(m_measured.empty() ? m_baseClass : m_measured);
}

AllowedError ResultJudge::mostAllowed(VerificationRound &round, size_t output, WorkerProcess &oracle,
                                      int rank) {
    const WorkerProcess &reference = m_session.reference();
    const at::Tensor own = tensorOf(reference, round.reference[output].node);
    const Comparison comparison =
        compareOutputs(own, own, own, round.oracleValues(output, round.hasOracle ? oracle : reference));
    if (comparison.isInteger)
        return {std::max(comparison.reference.rms,
                         1.0 / static_cast<double>(std::max<int64_t>(comparison.elements, 1))),
                comparison.reference.rms};
    double most = boundsFor(comparison, comparison.yardstick).rms;
    const bool products =
        m_session.facts().value("hasProduct", false) || m_session.facts().value("hasConvolution", false);
    for (const std::string &precision : m_session.allowedPrecision()) {
        const bool isTf32 = precision == "TF32";
        if (!round.hasOracle || rankOf(precision) <= rankOf(m_baseClass) || rankOf(precision) > rank ||
            (isTf32 && (!products || m_session.device().memory != MemoryKind::Cuda)))
            continue;
        for (const std::vector<ErrorSize> &sizes : yardsticks(round, precision, oracle))
            most = std::max(most, boundsFor(comparison, sizes[output]).rms);
    }
    return {most, comparison.reference.rms};
}

Comparison ResultJudge::compared(const VerificationRound &round, size_t output,
                                 const WorkerProcess &candidate, const WorkerProcess &oracle) const {
    const WorkerProcess &reference = m_session.reference();
    return compareOutputs(tensorOf(candidate, round.candidate[output].node),
                          tensorOf(reference, round.reference[output].node),
                          tensorOf(reference, round.workdir[output].node),
                          round.oracleValues(output, round.hasOracle ? oracle : reference));
}

void ResultJudge::settle(VerificationRound &round, const Weighed &weighed, const WorkerProcess &candidate,
                         const WorkerProcess &oracle) {
    const auto &[output, comparison, precision, words, refusedClass] = weighed;
    const ValueLeaf &mine = round.candidate[output];
    const ErrorSize bounds = boundsFor(comparison, comparison.yardstick);
    round.outputs.push_back({
        {"name", mine.path},
        {"elements", comparison.elements},
        {"rmsError", numberOrWord(comparison.candidate.rms)},
        {"largestError", numberOrWord(comparison.candidate.largest)},
        {"referenceRmsError", numberOrWord(comparison.reference.rms)},
        {"referenceLargestError", numberOrWord(comparison.reference.largest)},
        {"rmsBound", numberOrWord(bounds.rms)},
        {"largestBound", numberOrWord(bounds.largest)},
        {"wrongSpecials", comparison.wrongSpecials},
        {"precision", precision.empty() ? Json() : Json(precision)},
    });
    m_outsideWorkdir += comparison.outsideWorkdirTolerance;
    m_answer["workdirCriterion"]["status"] = m_outsideWorkdir > 0 ? "failed" : "passed";
    if (precision.empty() || !comparison.isInteger)
        noteWorst(round, mine, comparison, bounds);
    if (!precision.empty() && comparison.isInteger)
        m_wholeDifference = std::max(m_wholeDifference, comparison.candidate.rms + comparison.reference.rms);
    if (!precision.empty() && !words.empty() && m_told.insert(mine.path).second)
        m_stage.doubt("No fault, but worth knowing: in " + mine.path + " " + words + ".");
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
    if (precision.empty()) {
        settleWrong(round, weighed, bounds, candidate, oracle);
    } else if (precision != m_baseClass && !isAllowed(precision)) {
        std::string list;
        for (const std::string &name : m_session.allowedPrecision())
            list += (list.empty() ? "" : ", ") + name;
        m_stage.settle("wrong",
                       "The result has the precision of " + precision + ", lower than this task allows (" +
                           list + "): RMS error " + scientific(comparison.candidate.rms) +
                           ", the reference's own is " + scientific(comparison.reference.rms) + ".",
                       "Compute in a higher precision, or add \"" + precision +
                           "\" to `allow` in .warpwright/task.json if that is meant.");
    }
}

bool ResultJudge::isAllowed(const std::string &precision) const {
    const auto &allowed = m_session.allowedPrecision();
    return std::find(allowed.begin(), allowed.end(), precision) != allowed.end();
}

std::string ResultJudge::complaintAbout(VerificationRound &round, const WorkerProcess &candidate,
                                        WorkerProcess &oracle) {
    for (size_t output = 0; output < round.candidate.size(); ++output) {
        const ValueLeaf &mine = round.candidate[output];
        const ValueLeaf &theirs = round.reference[output];
        if (!mine.isTensor() || describeTensor(mine.node) != describeTensor(theirs.node))
            continue;
        const Weighed weighed = weigh(round, output, candidate, oracle);
        const Comparison &comparison = weighed.comparison;
        // Where the reference itself is far off, nobody can be blamed for being elsewhere.
        if (comparison.wrongSpecials == 0 && comparison.reference.rms > 0.1)
            continue;
        if (weighed.precision.empty()) {
            const std::string cause =
                round.hasOracle ? causeIn(round, output, comparison, candidate, oracle) : "";
            return describeDifference(comparison, boundsFor(comparison, comparison.yardstick)) + " (" +
                   mine.path + indexText(comparison.worstIndex) + " is " +
                   actualAndExpected(comparison.worstActual, comparison.worstExpected) + ")" +
                   (cause.empty() ? "" : "." + cause.substr(0, cause.size() - 1));
        }
    }
    return {};
}

} // namespace warpwright
