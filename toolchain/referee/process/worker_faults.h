// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/fault.h"
#include "referee/base/stage_answer.h"

namespace warpwright {

/// The words of a worker's fault in one paragraph: type, message, and the end of the traceback or of its
/// output.
std::string describe(const WorkerFault &fault);

/// Where the candidate's own text was when its process died: {file, line}, or null.
Json placeInTraceback(const std::string &printed);

/// Rejects whoever died of writing to its inputs; false: it died of something else.
bool rejectWriter(const WorkerFault &fault, StageAnswer &stage);

/// What a person can do about a candidate that ended so.
std::string adviceFor(const WorkerFault &fault);

/// What a fault of the reference's own process says of the task: that it cannot be used, or, for want of
/// memory or where a library of CUDA failed in itself, that the machine could not.
Fault faultOfReference(const std::string &model, const WorkerFault &fault);

} // namespace warpwright
