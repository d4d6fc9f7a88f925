// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/baseline_store.h"
#include "referee/block_timer.h"
#include "referee/statistics.h"
#include "referee/timed_inputs.h"
#include "referee/verification.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpwright {

/// Times a verified candidate against the reference's arms and says what the times mean.
///
/// Every arm is measured on the first run of a task on this device (and always in the certify tier); later
/// the candidate runs against one live anchor, the fastest stored arm that is not less precise, and the other
/// arms are stored times scaled by the anchor's drift, marked so.
class Profiling {
public:
    /// `limitSeconds`: for the blocks, instead of the tier's; 0: the tier's.
    Profiling(TaskSession &session, Verification &verification, std::string tier, double limitSeconds);
    ~Profiling();

    /// The answer to `profile`.
    Json run();

private:
    struct Arm {
        ArmSpec spec;
        std::string precision;                 ///< class in which it computes
        std::unique_ptr<WorkerProcess> worker; ///< empty for eager, which is the session's
        TimedArm timed;
        bool live = false;
        Json stored = Json::object();
        std::string lost; ///< why it could not be measured
    };

    std::vector<Arm> possibleArms() const;
    void chooseLiveArms();
    void step(const std::string &text); ///< the next one of the stage's steps before the blocks
    int liveArms() const;               ///< with the candidate
    void prepareArms();
    void measure();
    void renewWeights();
    void storeBaselines();
    Json armJson(const TimedArm &timed, bool live) const;
    Json armsJson();
    Interval speedupAgainst(const Arm &arm) const;
    Json speedupJson();
    double speedOfLightMicroseconds();
    bool isImpossible();
    void judge(const Json &speedup);
    const Arm *anchor() const;
    double driftOfAnchor() const;
    Interval intervalWithSpread(const Interval &interval, bool launchBound) const;
    void settle(const std::string &verdict, const std::string &reason, const std::string &advice);

    TaskSession &m_session;
    Verification &m_verification;
    std::string m_tier;
    double m_limitSeconds;
    BaselineStore m_store;
    std::vector<Arm> m_arms;
    std::unique_ptr<WorkerProcess> m_candidateWorker;
    TimedArm m_candidate;
    std::unique_ptr<BlockTimer> m_timer;
    std::unique_ptr<TimedInputs> m_inputs;
    Json m_answer;
    TimingPlan m_plan;
    int m_checkedOutputs = 0;
    int m_step = 0;
};

} // namespace warpwright
