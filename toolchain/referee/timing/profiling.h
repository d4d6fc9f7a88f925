// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/timed_candidate.h"
#include "referee/timing/baseline_arms.h"
#include "referee/timing/block_timer.h"
#include "referee/timing/call_examiner.h"
#include "referee/timing/certificate.h"
#include "referee/timing/timed_inputs.h"

#include <functional>
#include <memory>
#include <string>

namespace warpwright {

/// Times a candidate against the reference's arms and says what the times mean.
///
/// In two lanes where the code allows: call by call, which decides, and all calls of a batch as one CUDA
/// graph, offered to every arm (in the quick tier only where the processor sets the pace). The certify tier
/// does all of it in fresh processes of every arm until a Certificate can be given.
class Profiling {
public:
    struct Wish {
        std::string tier = "quick";
        double limitSeconds = 0.0; ///< for the blocks of a process and lane; 0: the tier's
        /// Run folder of the text that the candidate is a change of, timed beside it; empty: none.
        std::string before;
        /// Quick tier: blocks until every interval is narrow, for so many seconds at most; 0: the tier's.
        double longerSeconds = 0.0;
        bool sweeps = false; ///< in the quick tier on a GPU: ConfigSweep after the blocks
        /// Certify tier: hears what each process has measured, when that is over.
        std::function<void(const Json &process)> tellProcess = {};
    };

    Profiling(TaskSession &session, TimedCandidate candidate, Wish wish);
    ~Profiling();

    /// The answer to `profile`.
    Json run();
    bool ranOutOfMemory() const { return m_ranOutOfMemory; } ///< the candidate, or the text before

private:
    bool isCertify() const { return m_wish.tier == "certify"; }
    void step(const std::string &text); ///< the next one before the blocks
    void plan();
    void runProcesses();
    void startProcess();
    void prepareInputs();
    void watchFirstInputs();
    void rejectChangedInputs(const std::string &when, const std::string &by = {});
    void prepareCandidate();
    void takeArm(BaselineArm &arm);
    void compileBaselines();
    void loseCompiled(BaselineArm &arm, const WorkerFault &fault);
    void prepareBaseline(BaselineArm &arm);
    void prepareTwin();
    void prepareBefore();
    void shareEmptyBatches();
    void renewWeights();
    void tellProcess() const;
    void endProcess();
    void measure(Lane lane, Json &answer);
    void measureGraphs();
    std::vector<BaselineArm *> othersLive(); ///< than the candidate
    void callFurther();
    void callLater();
    void watchOthers();
    void askWhoseKernels();
    void sweepConfigs();
    std::string whyNoGraphs() const;
    void captureAll();
    Certificate certificate() const;
    LaneOutcome outcomeOf(Lane lane) const;
    bool isEnough() const;
    Json graphJson() const;
    Json beforeJson() const;
    std::string method() const;
    bool isImpossible(const TimedArm &timed) const;
    void rejectWorkAfterEnd();
    void rejectOverlap();
    void settleImpossible(const TimedArm &timed);
    void judge();
    void settle(const std::string &verdict, const std::string &reason, const std::string &advice);
    void settleFault(const WorkerFault &fault, const std::string &advice); ///< of the one at work

    TaskSession &m_session;
    TimedCandidate m_source;
    Wish m_wish;
    uint64_t m_started;
    double m_waitedBefore; ///< for other work on the device, in earlier checks
    BaselineArms m_arms;
    std::unique_ptr<WorkerProcess> m_worker; ///< the candidate's
    TimedArm m_calls;                        ///< the candidate's
    TimedArm m_graph;
    BaselineArm m_twin;     ///< in the certify tier: a baseline once more
    std::string m_twinOf;   ///< its name
    BaselineArm m_before;   ///< the text before the change; `lost` where it did not run
    std::string m_noGraphs; ///< why the lane of graphs is not measured (any more)
    std::unique_ptr<TimedInputs> m_inputs;
    std::unique_ptr<CallExaminer> m_examiner;
    std::unique_ptr<BlockTimer> m_callTimer;
    std::unique_ptr<BlockTimer> m_graphTimer;
    std::string m_atWork; ///< the arm whose fault a fault is
    Json m_answer;
    Json m_provenance;
    Json m_sweep;
    TimingPlan m_plan;
    int m_process = 0;
    int m_step = 0;
    bool m_ranOutOfMemory = false;
};

} // namespace warpwright
