// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/stage_answer.h"
#include "referee/comparison/integer_results.h"
#include "referee/comparison/movement.h"
#include "referee/task/task_session.h"
#include "referee/verification/result_memory.h"
#include "referee/verification/verification_round.h"

#include <set>
#include <string>
#include <vector>

namespace warpwright {

/// Compares the candidate's results of a round with the oracle's, element by element, and names the precision
/// class that they have.
///
/// A class is named by its own error on the same inputs: the reference run in that class, against the oracle.
/// It is granted where the error is one of rounding: see believeClaims().
class ResultJudge {
public:
    /// `answer` gets `worst`, `workdirCriterion` and the verdict.
    ResultJudge(TaskSession &session, Json &answer);

    /// Settles "wrong" with the first output that is.
    void judge(VerificationRound &round, WorkerProcess &candidate, WorkerProcess &oracle);
    /// Where there is no room for it beside the round's results: once they are released, whether the classes
    /// of the round that was judged last are believed.
    void judgeClasses(VerificationRound &round, WorkerProcess &candidate, WorkerProcess &oracle);

    /// Of the round that was judged last, which is wrong: where its results are, and whether they are right
    /// ones of another place or of the call before, which `memory` has. Null: it is not the numbers
    /// that are wrong. `owner`: whose memory the oracle's lie in.
    Json mapOf(const VerificationRound &round, const WorkerProcess &candidate, const WorkerProcess &owner,
               const ResultMemory &memory) const;

    /// Of results that are doubted but not judged: what is wrong with them in a few words; empty: nothing.
    std::string complaintAbout(VerificationRound &round, const WorkerProcess &candidate,
                               WorkerProcess &oracle);

    /// What this output of the round may be off by, in classes of such a rank (rankOf) at most: what moves by
    /// less, nobody can tell from what stands still.
    AllowedError mostAllowed(VerificationRound &round, size_t output, WorkerProcess &oracle, int rank);

    const std::string &measured() const { return m_measured; } ///< the lowest class seen; empty: none
    int measuredRank() const;
    double worstRms() const { return m_worstRms; } ///< relative, over all rounds and outputs
    /// The part of whole numbers that differed from the reference's and was right, over all rounds.
    double wholeDifference() const { return m_wholeDifference; }
    double referenceRms() const { return m_referenceRms; }
    /// How far two calls of one candidate may be from each other where they add up in another order: relative
    /// RMS. What it or the reference is off by in the result's own precision; who rounds to fewer bits on the
    /// way does so in the same way each time.
    double allowedFromItself() const;
    int64_t outsideWorkdir() const { return m_outsideWorkdir; }

private:
    struct Weighed {
        size_t output;
        Comparison comparison;
        std::string precision;    ///< empty: none
        std::string words;        ///< of whole numbers that differ: what is known of them
        std::string refusedClass; ///< of whose size the error is, though it is none of rounding
    };

    bool judgeForm(const VerificationRound &round, size_t output);
    void checkClasses(VerificationRound &round, std::vector<Weighed> &weighed, WorkerProcess &candidate,
                      WorkerProcess &oracle);
    void settle(VerificationRound &round, const Weighed &weighed, const WorkerProcess &candidate,
                const WorkerProcess &oracle);
    void settleWrong(const VerificationRound &round, const Weighed &weighed, const ErrorSize &bounds,
                     const WorkerProcess &candidate, const WorkerProcess &oracle);
    std::string causeIn(const VerificationRound &round, size_t output, const Comparison &comparison,
                        const WorkerProcess &candidate, const WorkerProcess &oracle) const;
    Comparison compared(const VerificationRound &round, size_t output, const WorkerProcess &candidate,
                        const WorkerProcess &oracle) const;
    /// By size: what the reference itself computes in, or the next one that is asked for after `after`.
    std::string classOf(VerificationRound &round, size_t output, Comparison &comparison,
                        WorkerProcess &oracle, const std::string &after);
    Weighed weigh(VerificationRound &round, size_t output, const WorkerProcess &candidate,
                  WorkerProcess &oracle);
    IntegerVerdict judgeWholeNumbers(const VerificationRound &round, size_t output,
                                     const WorkerProcess &candidate, WorkerProcess &oracle);
    IntegerOrigin originOf(WorkerProcess &worker, const VerificationRound &round, size_t output) const;

    /// Of the reference in a class: by yardstick, then by output.
    const std::vector<std::vector<ErrorSize>> &
    yardsticks(VerificationRound &round, const std::string &precision, WorkerProcess &oracle);
    /// Of the reference run so, by output. Throws WorkerFault.
    std::vector<ErrorSize> measured(VerificationRound &round, const Json &options, WorkerProcess &oracle);
    /// Within what the reference errs by, or what its operations may err by, which then is the yardstick.
    bool isOfOwnClass(VerificationRound &round, size_t output, Comparison &comparison, WorkerProcess &oracle);
    bool isAllowed(const std::string &precision) const;
    void noteWorst(const VerificationRound &round, const ValueLeaf &mine, const Comparison &comparison,
                   const ErrorSize &bounds);
    at::Tensor tensorOf(const WorkerProcess &worker, const Json &node) const;

    TaskSession &m_session;
    Json &m_answer;
    StageAnswer m_stage;
    std::vector<Weighed> m_weighed; ///< of the round that was judged last
    double m_wholeDifference = 0.0;
    std::set<std::string> m_told;     ///< outputs whose whole numbers were a matter of ties
    std::set<std::string> m_believed; ///< output, class and whether parameters were others
    std::string m_baseClass;          ///< what the reference itself computes in
    std::string m_measured;
    double m_worstRms = 0.0;
    double m_referenceRms = 0.0;
    int64_t m_outsideWorkdir = 0;
};

/// "0.1 % of the elements differ", "3 of 100 elements are NaN …": why a comparison is not within its bounds.
std::string describeDifference(const Comparison &comparison, const ErrorSize &bounds);

} // namespace warpwright
