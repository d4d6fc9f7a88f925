// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <sys/types.h>

namespace warpwright {

/// How long a process's threads, and the judge's own, stood in the kernel's queue for a processor.
///
/// That time belongs to whoever held the processors, not to the code that is timed, and falls on one arm
/// more than on another: eager against itself came to +108 % and -52 % beside 26 compilers.
class QueueWitness {
public:
    explicit QueueWitness(pid_t process) : m_process(process) {}

    /// From here `waitedSeconds` counts. Costs a few microseconds a thread.
    void begin();

    /// The longest wait of one of its threads since `begin`, and the judge's. 0 where the kernel keeps no
    /// account.
    double waitedSeconds() const;

private:
    std::map<pid_t, uint64_t> waits() const; ///< nanoseconds of each thread of it so far
    uint64_t ownWait() const;

    pid_t m_process;
    std::map<pid_t, uint64_t> m_before;
    uint64_t m_ownBefore = 0;
};

} // namespace warpwright
