// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/statistics.h"
#include "referee/task/baseline_store.h"
#include "referee/timing/block_timer.h"

#include <memory>
#include <string>
#include <vector>

namespace warpwright {

/// One way to run the reference, while a candidate is timed against it.
struct BaselineArm {
    ArmSpec spec;
    std::string precision;                 ///< class in which it computes
    std::unique_ptr<WorkerProcess> worker; ///< empty: the session's reference
    TimedArm calls;
    TimedArm graph;
    bool live = false;
    Json stored = Json::object();
    std::string lost;       ///< why it could not be measured
    std::string uncaptured; ///< why there is no graph of it

    const TimedArm &timed(Lane lane) const { return lane == Lane::Calls ? calls : graph; }
    /// It did not run this time, and did earlier; one that was lost this time is none.
    bool isStored() const { return !live && lost.empty() && !stored.empty() && !stored.contains("lost"); }
    bool has(Lane lane) const {
        return live && !timed(lane).microseconds.empty() && (lane == Lane::Calls || uncaptured.empty());
    }
};

/// The arms that a task has on its device, which of them run, and what the candidate's times mean beside
/// theirs.
///
/// Every arm runs on the first check of a task on a device, and always in the certify tier; later only the
/// fastest stored one that is not less precise than the candidate, and the others are stored times scaled by
/// its drift, marked so.
class BaselineArms {
public:
    /// `precision`: the candidate's measured class. `sets`: what calls rotate over; times that were stored
    /// for another number of sets are none.
    BaselineArms(TaskSession &session, std::string precision, int sets, bool areAllLive);

    /// Modes of the arms that torch.compile makes, where times of some arm are not stored: all run then.
    static std::vector<std::string> modesToCompile(const TaskSession &session);

    std::vector<BaselineArm> &all() { return m_arms; }
    const std::vector<BaselineArm> &all() const { return m_arms; }
    int sets() const { return m_sets; }
    int liveCount() const;
    void setInputsWarm(bool areWarm) { m_areInputsWarm = areWarm; } ///< they stay in the cache
    /// The quickest after warm-up of those that the candidate is measured against; null: none runs.
    const BaselineArm *quickest() const;

    Json armsJson(const TimedArm &candidate, Lane lane) const;
    /// {eager, compile, sameClass}: {value, low, high, arm} or null.
    Json speedupJson(const TimedArm &candidate, Lane lane) const;
    /// {arm, ratio {value, low, high}}: another's times, and the candidate's time over its.
    Json besideJson(const TimedArm &other, const TimedArm &candidate, Lane lane) const;
    /// `one`'s time over `other`'s, both measured here.
    Interval ratio(const TimedArm &one, const TimedArm &other, Lane lane) const;

    /// The largest part of an arm's time, the candidate's too, that may be other programs': they held the
    /// processors that it stood in line for. 0 where it is no more than on a quiet machine.
    double foreignShareBeside(const TimedArm &candidate) const;

    /// Keeps the times of a run in which every arm was live. Returns what went wrong, or nothing.
    std::string store() const;

private:
    Json armJson(const TimedArm &timed, Lane lane) const;
    bool isEligible(const BaselineArm &arm) const;
    const BaselineArm *anchor() const;
    double driftOfAnchor(const Json &stored) const;
    bool isGpu() const;                      ///< the device; else processors do the work
    bool waits(const TimedArm &timed) const; ///< for the processor, which sets its pace
    double foreignShare(const TimedArm &timed) const;
    Interval holdingForeign(const Interval &interval, const TimedArm &numerator,
                            const TimedArm &denominator) const;
    double processSpread(bool doesWait) const;
    Interval speedupAgainst(const BaselineArm &arm, const TimedArm &candidate, Lane lane) const;

    TaskSession &m_session;
    std::string m_precision;
    int m_sets;
    BaselineStore m_store;
    std::vector<BaselineArm> m_arms;
    bool m_areInputsWarm = false;
};

} // namespace warpwright
