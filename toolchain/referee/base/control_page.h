// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warpwright {

/// Memory shared by the judge and one worker: the release, the turns and the end of a timed batch.
///
/// The judge sets `go` to the batch's number and starts its clock before that store. The worker makes call i
/// once `released` counts it, over the input set `turns[i % mostTurns]`, notes where its results lie in
/// `places`, and counts it in `made`. Where `lastTurn` is set in `released` there are no further calls: the
/// worker sets `done` to the batch's number after the device is idle. Until then nothing tells how many calls
/// a batch has. What the worker writes are claims.
///
/// Both sides wait on a futex that is not process-private. Waiting may spin first: on a GPU a futex wake-up
/// (57 us) is noise, on a CPU a spinning judge would take a core away from the code that it measures.
struct ControlPage {
    static constexpr uint32_t lastTurn = 0x80000000u;
    static constexpr uint32_t mostTurns = 1024;
    static constexpr uint32_t mostPlaces = 8192;

    // The judge's words.
    std::atomic<uint32_t> go;
    std::atomic<uint32_t> released;
    uint16_t turns[mostTurns];
    // The worker's, in a line of the cache of their own.
    alignas(64) std::atomic<uint32_t> made;
    std::atomic<uint32_t> done;
    /// Addresses there: of the tensors of the result of call i, at (i % ring) * how many there are.
    alignas(64) uint64_t places[mostPlaces];
};

static_assert(std::atomic<uint32_t>::is_always_lock_free);
static_assert(offsetof(ControlPage, turns) == 8 && offsetof(ControlPage, made) == 2112 &&
                  offsetof(ControlPage, places) == 2176,
              "as worker/warpwright_timing.py reads it");

constexpr uint64_t controlPageBytes = sizeof(ControlPage);

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

/// Waits until `until(word)`: spins for `spinNanoseconds`, then sleeps, at most `limitNanoseconds` in all.
/// Returns false when the limit passed.
template <typename Condition>
bool waitUntil(std::atomic<uint32_t> &word, Condition until, uint64_t spinNanoseconds,
               uint64_t limitNanoseconds) {
    const uint64_t start = monotonicNanoseconds();
    for (;;) {
        const uint32_t seen = word.load(std::memory_order_acquire);
        if (until(seen))
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

/// Waits until `word` equals `wanted`.
inline bool waitForWord(std::atomic<uint32_t> &word, uint32_t wanted, uint64_t spinNanoseconds,
                        uint64_t limitNanoseconds) {
    const auto isIt = [wanted](uint32_t seen) {
        return seen == wanted;
    };
    return waitUntil(word, isIt, spinNanoseconds, limitNanoseconds);
}

} // namespace warpwright
