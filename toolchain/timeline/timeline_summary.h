// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/timeline_analysis.h"

/// A timeline in sentences, the same for people, screen readers and agents.
namespace warpwright {

struct MeasuredFigures;

/// What one arm's call does: busy and idle time, launches, overlap, what its end waits for, what tracing
/// costs, and its notes.
[[nodiscard]] QStringList sentencesOf(const TimelineArm &arm, const TimelineAnalysis &analysis);

/// What a call of the candidate's takes in a check, as timesSentence() tells it: call by call, also where
/// only the time as one CUDA graph is certified and stands in the headline. Empty: its profile has not
/// passed.
[[nodiscard]] std::optional<double> checkedCallMicroseconds(const MeasuredFigures &figures);

/// How the times of this arm's call belong together: traced, untraced, and the check's, which is named where
/// it is known and of the same text and device. Empty where nothing was traced.
[[nodiscard]] QString timesSentence(const TimelineArm &arm, bool isOnCpu,
                                    std::optional<double> checkedMicroseconds);

/// How it was traced, and what its times are no measure of.
[[nodiscard]] QString methodOf(const Timeline &timeline);

/// The pieces of the critical path in short, equal ones after one another as one: "launch 4.2 µs → scale(…)
/// 31.9 µs → …". At most `most` pieces; the others are counted.
[[nodiscard]] QString pathText(const TimelineArm &arm, const std::vector<PathStep> &path,
                               std::size_t most = 8);

/// Without return type and parameters; of a region with its number in its function.
[[nodiscard]] QString shortNameOf(const TimelineEvent &event);

/// "kernel", "copy", "fill", "parallel region", "operator".
[[nodiscard]] QString workName(TimelineEvent::Kind kind);

} // namespace warpwright
