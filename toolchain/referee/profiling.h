// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/baseline_arms.h"
#include "referee/block_timer.h"
#include "referee/certificate.h"
#include "referee/timed_candidate.h"
#include "referee/timed_inputs.h"

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
    /// `limitSeconds`: for the blocks of a process and lane, instead of the tier's; 0: the tier's.
    Profiling(TaskSession &session, TimedCandidate candidate, std::string tier, double limitSeconds);
    ~Profiling();

    /// The answer to `profile`.
    Json run();

private:
    bool isCertify() const { return m_tier == "certify"; }
    void step(const std::string &text); ///< the next one before the blocks
    void plan();
    void runProcesses();
    void startProcess();
    void prepareInputs();
    void prepareCandidate();
    void prepareBaseline(BaselineArm &arm);
    void prepareTwin();
    void renewWeights();
    void endProcess();
    void measure(Lane lane, Json &answer);
    void measureGraphs();
    void askWhoseKernels();
    std::string whyNoGraphs() const;
    void captureAll();
    Certificate certificate() const;
    LaneOutcome outcomeOf(Lane lane) const;
    bool isEnough() const;
    Json graphJson() const;
    std::string method() const;
    bool isImpossible(const TimedArm &timed) const;
    void settleImpossible(const TimedArm &timed);
    void judge();
    void settle(const std::string &verdict, const std::string &reason, const std::string &advice);

    TaskSession &m_session;
    TimedCandidate m_source;
    std::string m_tier;
    double m_limitSeconds;
    uint64_t m_started;
    BaselineArms m_arms;
    std::unique_ptr<WorkerProcess> m_worker; ///< the candidate's
    TimedArm m_calls;                        ///< the candidate's
    TimedArm m_graph;
    BaselineArm m_twin;     ///< in the certify tier: a baseline once more
    std::string m_twinOf;   ///< its name
    std::string m_noGraphs; ///< why the lane of graphs is not measured (any more)
    std::unique_ptr<TimedInputs> m_inputs;
    std::unique_ptr<BlockTimer> m_callTimer;
    std::unique_ptr<BlockTimer> m_graphTimer;
    std::string m_atWork; ///< the arm whose fault a fault is
    Json m_answer;
    Json m_provenance;
    TimingPlan m_plan;
    int m_process = 0;
    int m_checkedOutputs = 0;
    int m_step = 0;
};

} // namespace warpwright
