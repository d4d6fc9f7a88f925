// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/libraries/library_calls.h"
#include "referee/task/timed_candidate.h"
#include "referee/verification/dependence.h"
#include "referee/verification/drawn_inputs.h"
#include "referee/verification/oracle_pieces.h"
#include "referee/verification/result_judge.h"
#include "referee/verification/result_memory.h"
#include "referee/verification/stress_inputs.h"
#include "referee/verification/task_parts.h"

#include <memory>
#include <string>

namespace warpwright {

/// Decides whether the candidate computes what the reference computes, by the rules of the task, and in which
/// precision.
///
/// Each round draws fresh inputs from a secret seed, runs the fp64 oracle, the reference and the candidate on
/// the same bytes, and compares every element. Parameters change between rounds, and memory that the
/// candidate gets is filled with another byte each time. Ends with the first round that is wrong. Keeps the
/// candidate's worker for timing.
class Verification {
public:
    explicit Verification(TaskSession &session);
    ~Verification();

    /// The answer to `verify`. Throws Fault for the reference and the machine; the candidate's faults are in
    /// the answer.
    Json run(const std::string &runFolder, int rounds);

    bool hasPassed() const { return m_passed; }
    bool ranOutOfMemory() const { return m_ranOutOfMemory; } ///< the candidate
    bool cameToTrap() const { return m_cameToTrap; }         ///< torch's arithmetic, which it does not have
    /// What passed, to be timed; this must outlive it.
    TimedCandidate handOn();

private:
    static constexpr double referenceLimitSeconds = 120.0;

    void startWorkers(const std::string &runFolder);
    void startBesideTrusted(const std::string &runFolder);
    void runRounds(int rounds);
    bool runCycle(int first, int last, const std::vector<int> &withNewWeights);
    bool runRound(int number, int count, bool newWeights);
    void runTrusted(VerificationRound &round);
    void runWithOthers(VerificationRound &round);
    bool runsTrusted(VerificationRound &round);
    void explain(const VerificationRound &round);
    void runReference(VerificationRound &round, const Json &request);
    void runOracle(VerificationRound &round, const Json &request);
    void runOraclePieces(VerificationRound &round);
    void watchLaterCall();
    void runReferenceAlone(VerificationRound &round);
    static void measureByReference(VerificationRound &round);
    const WorkerProcess &ownerOf(const VerificationRound &round) const;
    void watchDependence(VerificationRound &round);
    void rejectWrittenInputs(int round);
    void settleDependence();
    void lookAtParts(VerificationRound &round);
    void drawParts(int round, int last);
    void seekSignal();
    Dependence trySignal();
    Dependence::Allowed askingJudge(bool areAll);
    bool runCandidate(VerificationRound &round, bool isRecorded);
    void judgeOperators(const Json &operators);
    void judgeStateWork();
    void judgeLibraries();
    void knockOut(const std::string &runFolder);
    bool doCppFunctionsWork(const std::string &runFolder);
    bool librariesMakeResults();
    void watchWeights();
    TimedCandidate::Later callLater(WorkerProcess &candidate, const Json &inputs, const Json &others);
    std::string complaintAtOtherScales(WorkerProcess &candidate, const Json &inputs);
    void stress();
    bool runStress(Stress kind, int64_t factor); ///< of whole numbers; of constants, see there
    bool isForThisTask(const VerificationRound &stressed, Stress kind);
    void release(int keptByCandidate);
    void releaseTrusted();
    void settleCandidateFault(const WorkerFault &fault);

    TaskSession &m_session;
    std::string m_runFolder;
    uint64_t m_lastSeed = 0; ///< of the last round's inputs
    std::unique_ptr<WorkerProcess> m_oracle;
    std::unique_ptr<WorkerProcess> m_candidate;
    Json m_answer;
    StageAnswer m_stage;
    std::unique_ptr<ResultJudge> m_judge;
    std::unique_ptr<ResultMemory> m_memory;
    Dependence m_dependence;
    DrawnInputs m_drawn;
    TaskParts m_parts;
    std::unique_ptr<OraclePieces> m_pieces; ///< where the oracle has no room as a whole
    Json m_lastInputs;                      ///< of the last round that the candidate ran
    Json m_operators; ///< of torch, under the candidate's forward; null: not recorded yet
    Json m_onState;   ///< those that may be the move of its state
    LibraryCalls m_libraries;
    bool m_passed = false;
    bool m_ranOutOfMemory = false;
    bool m_cameToTrap = false;
    bool m_saidNoOracle = false;
    bool m_hasItsSpecials = true;   ///< NaN and infinities are where the reference has them
    bool m_isRightAtScales = false; ///< for numbers of other sizes than get_inputs draws
    bool m_wasStretched = false;    ///< the reference took larger whole numbers
    bool m_readsConstants = false;  ///< inputs that are always the same were others, and it was right
    bool m_areInputsOthers = false; ///< than those of the last round
    int m_rememberedVersion = -1;   ///< of the parameters, when the dependence was last remembered
    double m_referenceSeconds = 0.0;
};

} // namespace warpwright
