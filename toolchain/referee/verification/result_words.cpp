// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of result_judge.h that says of a wrong result what is wrong with it.
#include "referee/verification/result_judge.h"

#include "referee/base/report_text.h"
#include "referee/comparison/difference_causes.h"
#include "referee/comparison/judged_tensor.h"

namespace warpwright {

namespace {

constexpr double referenceLimitSeconds = 120.0;

} // namespace

std::string describeDifference(const Comparison &comparison, const ErrorSize &bounds) {
    if (comparison.wrongSpecials > 0)
        return std::to_string(comparison.wrongSpecials) + " of " + std::to_string(comparison.elements) +
               " elements are NaN or infinite (or finite) where the reference is not";
    if (comparison.isInteger)
        return percent(comparison.candidate.rms) + " of the elements differ";
    const WorstGroup worst = worstGroupOf(comparison, comparison.yardstick);
    if (!worst.words.empty() && comparison.candidate.rms <= bounds.rms &&
        comparison.candidate.largest <= bounds.largest)
        return "the RMS error of " + worst.words + " is " + scientific(worst.error) +
               " of their RMS value (allowed " + scientific(worst.allowed) + ")";
    return "the RMS error is " + scientific(comparison.candidate.rms) + " of the RMS value (allowed " +
           scientific(bounds.rms) + "), the largest |difference| / (|expected| + RMS value) " +
           scientific(comparison.candidate.largest) + " (allowed " + scientific(bounds.largest) + ")";
}

void ResultJudge::noteWorst(const VerificationRound &round, const ValueLeaf &mine,
                            const Comparison &comparison, const ErrorSize &bounds) {
    const Json known = m_answer["worst"].value("relativeError", Json());
    if (comparison.worstIndex.empty() && comparison.elements != 1)
        return;
    if (known.is_number() && comparison.worstError <= known.get<double>() && comparison.wrongSpecials == 0)
        return;
    m_answer["worst"] = {
        {"round", round.number},
        {"output", mine.path},
        {"index", comparison.worstIndex},
        {"expected", numberOrWord(comparison.worstExpected)},
        {"actual", numberOrWord(comparison.worstActual)},
        {"reference", numberOrWord(comparison.worstReference)},
        {"relativeError", numberOrWord(comparison.worstError)},
        {"bound", numberOrWord(bounds.largest)},
    };
}

void ResultJudge::settleWrong(const VerificationRound &round, const Weighed &weighed, const ErrorSize &bounds,
                              const WorkerProcess &candidate, const WorkerProcess &oracle) {
    const Comparison &comparison = weighed.comparison;
    const std::string &path = round.candidate[weighed.output].path;
    std::string cause = causeIn(round, weighed.output, comparison, candidate, oracle);
    if (!weighed.words.empty())
        cause = " Of them, " + weighed.words + ".";
    const bool isFlushed = cause.find("denormal") != std::string::npos;
    if (!weighed.refusedClass.empty() && !isFlushed)
        cause = " The error is as large as those of " + weighed.refusedClass +
                ", but not one of rounding: it stayed the same when inputs and parameters moved by a few "
                "rounding steps." +
                cause;
    std::string advice =
        "Start at the worst element; a wrong tail, a missing term or a race are the usual causes.";
    if (const std::string strided = describeStridedInput(round.inputs); !strided.empty())
        advice = "Read inputs by their strides, or refuse what is not contiguous: " + strided + ".";
    else if (isFlushed)
        advice = "Compile without -ffast-math (nvcc: without -use_fast_math and -ftz=true), or scale what is "
                 "that small up before it is multiplied.";
    else if (!weighed.refusedClass.empty())
        advice = "Look for what is left out: part of a sum, a term, a tail, an approximation.";
    if (round.hasOwnWeights)
        advice = "Read parameters and statistics in each call, or look whether they changed "
                 "(data_ptr and _version); leave none of them out.";
    m_stage.settle("wrong",
                   "The result differs from the reference" +
                       (round.number > 0 ? " in round " + std::to_string(round.number) : std::string()) +
                       (round.hasOwnWeights ? " (with other parameters than those it was made with)" : "") +
                       ": " + describeDifference(comparison, bounds) + ". Worst: " + path +
                       indexText(comparison.worstIndex) + " is " +
                       actualAndExpected(comparison.worstActual, comparison.worstExpected) + "." + cause,
                   advice);
}

// It takes several times what the results do.
std::string ResultJudge::causeIn(const VerificationRound &round, size_t output, const Comparison &comparison,
                                 const WorkerProcess &candidate, const WorkerProcess &oracle) const {
    if (!m_session.isRoomy())
        return {};
    WorkerProcess &reference = m_session.reference();
    const at::Tensor mine = tensorOf(candidate, round.candidate[output].node);
    if (mayBeDenormals(mine, comparison)) {
        try {
            const Json ran = reference.call(
                "run", {{"inputs", round.inputs}, {"clone", true}, {"mode", "strict"}, {"flush", true}},
                referenceLimitSeconds);
            const std::string cause = causeByDenormals(
                mine, tensorOf(reference, leavesOf(ran.at("outputs"), "output").at(output).node), comparison);
            reference.call("release", {{"last", 1}}, referenceLimitSeconds);
            if (!cause.empty())
                return cause;
        } catch (const WorkerFault &fault) {
            if (fault.kind != WorkerFault::Kind::Raised)
                throw m_session.taskFault(fault);
        }
    }
    return causeOf(mine, tensorOf(reference, round.reference[output].node),
                   tensorOf(round.hasOracle ? oracle : reference, round.oracle[output].node), comparison);
}

} // namespace warpwright
