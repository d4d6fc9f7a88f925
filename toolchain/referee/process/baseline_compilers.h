// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/process/worker_process.h"

#include <memory>
#include <string>
#include <vector>

namespace warpwright {

/// So long is waited for torch.compile. A forward of thousands of operators is mostly a loop that it writes
/// out: then it would take minutes more, and what has no compiled baseline says so.
double compileLimitSeconds(const Json &facts);

/// Compiles a task's baselines in processes of their own while the judge does something else.
///
/// They stop before the first call, in which the variants of a kernel are tried out on the device; what they
/// make lies in torch's cache, where the arms that are timed find it. Nothing is timed while one is at work,
/// and what fails in one fails again in its arm, which says why.
class BaselineCompilers {
public:
    struct Task {
        std::string model;
        uint64_t seed = 0; ///< of the constructor
        std::string device;
        Json inputs;         ///< tree of one set
        bool trains = false; ///< it runs in train mode
        double limitSeconds = 0.0;
    };

    BaselineCompilers() = default;
    ~BaselineCompilers() { end(); }
    BaselineCompilers(const BaselineCompilers &) = delete;
    BaselineCompilers &operator=(const BaselineCompilers &) = delete;

    /// Whether there are processors enough, and a device with memory for `bytes` more. Without a device: not.
    static bool arePossible(uint64_t bytes);

    /// One process for each mode (ArmSpec), with as many compilers of kernels as there are processors for.
    void start(ForkServer &forkServer, const Task &task, const std::vector<std::string> &modes);
    bool areAtWork() const { return !m_calls.empty(); }
    /// Until the last has ended, whatever came of it. Throws Cancelled.
    void wait();
    void end();

private:
    std::vector<std::unique_ptr<WorkerProcess>> m_workers;
    std::vector<std::unique_ptr<PendingCall>> m_calls;
};

} // namespace warpwright
