// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warpwright {

/// One page shared by the judge and one worker: the release and the end of a timed batch.
///
/// The judge sets `go` to the batch's number and starts its clock before that store; the worker sets `done`
/// to the same number after the device is idle. Both sides wait on a futex that is not process-private.
/// Waiting may spin first: on a GPU a futex wake-up (57 us) is noise, on a CPU a spinning judge would take a
/// core away from the code that it measures.
struct ControlPage {
    std::atomic<uint32_t> go;
    std::atomic<uint32_t> done;
};

static_assert(std::atomic<uint32_t>::is_always_lock_free);

constexpr uint64_t controlPageBytes = 4096;

inline uint64_t monotonicNanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

inline void relaxProcessor() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

inline void futexWake(std::atomic<uint32_t> &word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

/// Waits until `word` equals `wanted`: spins for `spinNanoseconds`, then sleeps, at most `limitNanoseconds`
/// in all. Returns false when the limit passed.
inline bool waitForWord(std::atomic<uint32_t> &word, uint32_t wanted, uint64_t spinNanoseconds,
                        uint64_t limitNanoseconds) {
    const uint64_t start = monotonicNanoseconds();
    for (;;) {
        const uint32_t seen = word.load(std::memory_order_acquire);
        if (seen == wanted)
            return true;
        const uint64_t passed = monotonicNanoseconds() - start;
        if (passed >= limitNanoseconds)
            return false;
        if (passed < spinNanoseconds) {
            relaxProcessor();
            continue;
        }
        const uint64_t left = limitNanoseconds - passed;
        timespec timeout{static_cast<time_t>(left / 1'000'000'000u),
                         static_cast<long>(left % 1'000'000'000u)};
        syscall(SYS_futex, &word, FUTEX_WAIT, seen, &timeout, nullptr, 0);
    }
}

} // namespace warpwright
