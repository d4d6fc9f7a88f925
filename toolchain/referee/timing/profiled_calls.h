// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/stage_answer.h"

namespace warpwright {

class TaskSession;
class WorkerProcess;

/// Asks `candidate` for a few calls with `inputs` (a tree of drawInputs) under torch's profiler, and judges
/// the kernels that it saw (kernel_shares.h). Must come after everything that is timed: a profiler stays in
/// its process. A candidate that fails under it gets "not-run" with the reason; look at isAlive() afterwards.
Json kernelShares(TaskSession &session, WorkerProcess &candidate, const Json &inputs, StageAnswer &stage);

} // namespace warpwright
