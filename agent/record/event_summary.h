// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_event.h"

namespace warpwright {

/// An event as one line for lists, without its time: «p7: read four values at a time (3 hunks, expects
/// 0.80×)». A kind that is not known is told by its name.
[[nodiscard]] QString eventSummary(const TrajectoryEvent &event);

/// An event at length, for a person: a message whole; else its line, and below it the reasons, results and
/// items that it does not hold.
[[nodiscard]] QString eventProse(const TrajectoryEvent &event);

/// What somebody may search for in it: messages, reasons, notes, questions, results; empty: nothing is said.
[[nodiscard]] QString eventWords(const TrajectoryEvent &event);

} // namespace warpwright
