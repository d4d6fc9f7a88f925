// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace warpwright {

/// When a process was asked to stop and when each of its threads had been seen stopped, in nanoseconds of
/// monotonicNanoseconds(). A thread that waits for a processor stops before it gets back to its own code, so
/// that none of it runs from a few microseconds after `askedAt` on; seeing it takes as long as the machine is
/// busy.
struct Stop {
    uint64_t askedAt = 0;
    uint64_t seenAt = 0;
    int threads = 0;
};

/// Stops every thread of `pid` and waits until all are seen stopped, those that were made meanwhile, too.
/// Empty: the process is gone. Throws WorkerFault (TimedOut) where one does not stop within `limitSeconds`:
/// it stands in the kernel, or this kernel does not tell.
std::optional<Stop> stopAll(pid_t pid, double limitSeconds);

} // namespace warpwright
