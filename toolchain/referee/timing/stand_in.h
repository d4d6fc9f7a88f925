// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/task_session.h"
#include "referee/task/timed_candidate.h"

namespace warpwright {

/// The reference in the candidate's place, with `extraMicroseconds` more work in each call: what the clock
/// says of it is known beforehand. `arm`: "eager", or "compile".
TimedCandidate standIn(TaskSession &session, const std::string &arm, double extraMicroseconds);

} // namespace warpwright
