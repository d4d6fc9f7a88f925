// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/critical_path.h"

namespace warpwright {

/// A time in which the device, or on a CPU all threads but one, has nothing to do.
struct TimelineGap {
    enum class Cause {
        First,   ///< before anything runs
        Launch,  ///< the host had not launched what follows
        Between, ///< what follows was queued in time
        Last     ///< until the host knows of the end
    };

    double startUs = 0;
    double endUs = 0;
    Cause cause = Cause::Between;
    std::optional<std::size_t> next; ///< what runs after it, a place among the arm's events

    [[nodiscard]] double microseconds() const { return endUs - startUs; }
    bool operator==(const TimelineGap &) const = default;
};

/// All runs of one kernel, copy, region or operator in the call.
struct WorkShare {
    QString name;
    TimelineEvent::Kind kind = TimelineEvent::Kind::Kernel;
    int count = 0;
    double microseconds = 0;
    std::optional<double> launchMicroseconds; ///< what the host's calls took; none: a graph's, or not told
    std::optional<double> queueMicroseconds;  ///< the median from the end of that call until it runs
    double share = 0;                         ///< of the time of all work, 0 to 1

    bool operator==(const WorkShare &) const = default;
};

struct StreamUse {
    int stream = 0;
    int events = 0;
    double busyUs = 0;

    bool operator==(const StreamUse &) const = default;
};

/// What follows from the events of one arm's shown call.
struct TimelineAnalysis {
    TimelineEvent::Kind worksBy = TimelineEvent::Kind::Kernel; ///< Kernel, Region or Operator
    double callUs = 0;
    double busyUs = 0;    ///< at least one kernel, copy, region or operator runs
    double overlapUs = 0; ///< at least two run
    std::vector<TimelineGap> gaps;
    std::vector<WorkShare> work; ///< the longest first
    std::vector<StreamUse> streams;
    int launches = 0; ///< by the host: of kernels, copies and graphs
    double launchUs = 0;
    double syncUs = 0;
    int graphs = 0;     ///< replays
    int graphSteps = 0; ///< what they ran
    std::vector<PathStep> path;

    [[nodiscard]] double busyShare() const { return callUs > 0 ? std::min(1.0, busyUs / callUs) : 0; }
    [[nodiscard]] double idleUs() const { return std::max(0.0, callUs - busyUs); }
    /// Of the critical path.
    [[nodiscard]] double pathUs(PathStep::Kind kind) const;
};

[[nodiscard]] TimelineAnalysis analysed(const TimelineArm &arm);

} // namespace warpwright
