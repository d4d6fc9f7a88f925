// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/timeline.h"

namespace warpwright {

/// One piece of what the end of a call waits for. The pieces follow one another without a hole.
struct PathStep {
    enum class Kind {
        Host,   ///< the host works or waits before it launches what follows; on a CPU: one thread
        Launch, ///< from the host's call until the device begins
        Device, ///< a kernel or a copy; on a CPU a parallel region or an operator
        Between ///< the device goes on to what is already queued
    };

    Kind kind = Kind::Host;
    double startUs = 0;
    double endUs = 0;
    std::optional<std::size_t> event; ///< its place among the arm's: what runs, or the call that launches it

    [[nodiscard]] double microseconds() const { return endUs - startUs; }
    bool operator==(const PathStep &) const = default;
};

/// From the end of the shown call backwards: what ended last, what that waited for (its predecessor in its
/// stream, a stream that its own one waits for, or its launch), and so on to the call's start. Where the
/// profiler tells of no waits between streams, what ended at most 10 µs before on another one counts as
/// waited for.
[[nodiscard]] std::vector<PathStep> criticalPath(const TimelineArm &arm);

/// What an arm's work consists of: what runs on the device, else parallel regions, else torch's operators.
/// Places among its events, in the order of their starts.
[[nodiscard]] std::vector<std::size_t> workOf(const TimelineArm &arm);

} // namespace warpwright
