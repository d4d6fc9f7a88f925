// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/profiled_calls.h"

#include "referee/libraries/kernel_shares.h"
#include "referee/process/worker_faults.h"
#include "referee/task/task_session.h"

namespace warpwright {

namespace {

constexpr int profiledCalls = 5;
constexpr double limitSeconds = 90.0; // the profiler's own start takes seconds

} // namespace

Json kernelShares(TaskSession &session, WorkerProcess &candidate, const Json &inputs, StageAnswer &stage) {
    session.progress()("profile", "whose kernels do the work", 1, 1);
    Json answer;
    try {
        answer =
            candidate.call("kernel_shares", {{"inputs", inputs}, {"calls", profiledCalls}}, limitSeconds);
    } catch (const WorkerFault &fault) {
        answer = {{"reason", "the candidate failed under torch's profiler: " + describe(fault)}};
    }
    return judgeKernelShares(answer, stage);
}

} // namespace warpwright
