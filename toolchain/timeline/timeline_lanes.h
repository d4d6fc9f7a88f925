// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/timeline.h"

namespace warpwright {

/// What stands on one line of a timeline: of one arm, the host's operators or its calls of CUDA, one stream,
/// or parallel regions.
struct TimelineLane {
    enum class Kind { Operators, Launches, Stream, Regions };

    std::size_t arm = 0;
    Kind kind = Kind::Stream;
    int stream = 0;
    QString label;
    std::vector<std::size_t> events; ///< places among the arm's, in the order of their starts

    /// Its bars have room for names above them.
    [[nodiscard]] bool hasNames() const { return kind != Kind::Launches; }
    bool operator==(const TimelineLane &) const = default;
};

/// What is drawn in one piece.
struct TimelineSpan {
    double startUs = 0;
    double endUs = 0;
    std::size_t event = 0; ///< the first of them
    std::size_t count = 1; ///< more: each is too short to be told from its neighbours

    bool operator==(const TimelineSpan &) const = default;
};

/// A lane's events between two times; those shorter than a pixel are taken together with their like beside
/// them, so that there are at most about as many as pixels.
[[nodiscard]] std::vector<TimelineSpan> spansOf(const TimelineArm &arm, const TimelineLane &lane,
                                                double fromUs, double toUs, double usPerPixel);

/// Those of one arm, which is the timeline's `arm`th: the host's first.
[[nodiscard]] std::vector<TimelineLane> lanesOf(const TimelineArm &events, std::size_t arm);

} // namespace warpwright
