// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/base/statistics.h"

#include <optional>
#include <string>

namespace warpwright {

/// What one lane came to: the headline's interval, and the same code against itself.
struct LaneOutcome {
    std::optional<Interval> speedup;   ///< over the fastest baseline of the candidate's class
    std::optional<Interval> sameAgain; ///< that baseline's time over its own in another process
    std::string missing;               ///< why there is neither
};

/// Decides whether a speed-up may be called certain: its interval is at most 1 % to each side, and in the
/// same run, measured alike, the same code against itself came to 1 within 1 % (the A/A gate).
class Certificate {
public:
    /// `baseline`: which arm ran twice.
    Certificate(std::string baseline, LaneOutcome calls, LaneOutcome graph);

    bool isGiven() const { return !m_lane.empty(); }
    /// Which lane's number is certain: "calls", else "graph"; empty: neither.
    const std::string &lane() const { return m_lane; }
    /// Why the lane of calls is not certain; empty: it is.
    const std::string &whyNotCalls() const { return m_whyNotCalls; }

    /// {status, lane, processes, sameAgain {arm, calls, graph}, reason}
    Json toJson(int processes) const;

private:
    std::string m_baseline;
    LaneOutcome m_calls;
    LaneOutcome m_graph;
    std::string m_lane;
    std::string m_whyNotCalls;
    std::string m_whyNotGraph;
};

/// Where none was tried for, and why.
Json noCertificate(const std::string &reason);

} // namespace warpwright
