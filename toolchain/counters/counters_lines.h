// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

namespace warpwright {

/// What resources/read_ncu_report.py writes: one JSON object a line, launches first (a later line of a launch
/// takes the place of an earlier one), then the document without them. Read line by line, so that a report of
/// thousands of launches is never in memory as JSON. Takes seconds: not for a window's thread.
[[nodiscard]] Result<Counters> countersFromLines(const QString &path);

} // namespace warpwright
