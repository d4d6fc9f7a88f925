// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a candidate for a CPU opens a parallel region, for how long, and how long each of its threads works in
// it: through the extension's own table of addresses, as library_watch.cpp counts calls. libgomp tells nobody
// of its regions (it has no OMPT), and nothing needs to be preloaded for this.
//
// A library of its own, loaded by trace_call.py: the judge's workers know nothing of it. Regions of torch, of
// other OpenMP runtimes and those inside another region are not seen.

#include "referee/worker/module_slots.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <iterator>
#include <utility>

namespace {

constexpr uint32_t mostRegions = 1 << 16;

// As trace_call.py reads it.
struct Region {
    uint64_t startNs; // CLOCK_MONOTONIC
    uint64_t endNs;
    uint64_t busyNs;    // of all its threads together
    uint64_t longestNs; // of the thread that worked longest
    uint64_t offset;    // of its code from the extension's start
    uint64_t threads;
};

Region regions[mostRegions];
std::atomic<uint32_t> count = 0; // goes on where the room ends
std::atomic<bool> isOn = false;
thread_local int depth = 0;

uint64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

using Body = void (*)(void *);

struct Work {
    Body body;
    void *data;
    std::atomic<uint64_t> busyNs = 0;
    std::atomic<uint64_t> longestNs = 0;
    std::atomic<uint32_t> threads = 0;
};

void timedBody(void *pointer) {
    Work &work = *static_cast<Work *>(pointer);
    const uint64_t start = now();
    ++depth;
    work.body(work.data);
    --depth;
    const uint64_t mine = now() - start;
    work.busyNs += mine;
    uint64_t longest = work.longestNs;
    while (longest < mine && !work.longestNs.compare_exchange_weak(longest, mine)) {
    }
    ++work.threads;
}

// All of them begin with the body, its data and the number of threads. One argument more than a function has
// does no harm, and what returns nothing may be read.
using Open = long (*)(Body, void *, unsigned, long, long, long, long, long);
constexpr const char *openers[] = {
    "GOMP_parallel",
    "GOMP_parallel_reductions",
    "GOMP_parallel_sections",
    "GOMP_parallel_loop_static",
    "GOMP_parallel_loop_dynamic",
    "GOMP_parallel_loop_guided",
    "GOMP_parallel_loop_runtime",
    "GOMP_parallel_loop_nonmonotonic_dynamic",
    "GOMP_parallel_loop_nonmonotonic_guided",
    "GOMP_parallel_loop_nonmonotonic_runtime",
    "GOMP_parallel_loop_maybe_nonmonotonic_runtime",
};
constexpr size_t openerCount = std::size(openers);
Open honest[openerCount];

template <size_t Place>
long timedOpen(Body body, void *data, unsigned threads, long a, long b, long c, long d, long e) {
    if (!isOn || depth > 0)
        return honest[Place](body, data, threads, a, b, c, d, e);
    Work work{body, data};
    const uint64_t start = now();
    const long result = honest[Place](timedBody, &work, threads, a, b, c, d, e);
    const uint64_t end = now();
    if (const uint32_t place = count++; place < mostRegions) {
        Dl_info info{};
        const auto code = reinterpret_cast<uint64_t>(body);
        const bool isKnown = dladdr(reinterpret_cast<void *>(body), &info) != 0;
        regions[place] = {start,
                          end,
                          work.busyNs,
                          work.longestNs,
                          isKnown ? code - reinterpret_cast<uint64_t>(info.dli_fbase) : 0,
                          work.threads};
    }
    return result;
}

template <size_t... Places>
void *timedOpener(size_t place, std::index_sequence<Places...>) {
    constexpr Open all[] = {timedOpen<Places>...};
    return reinterpret_cast<void *>(all[place]);
}

} // namespace

extern "C" {

/// From now on regions of the library that was loaded from `path` can be timed. How many of its functions
/// open some; 0: none, or not on this processor.
int ww_watch_regions(const char *path) {
    int found = 0;
    for (const warpwright::ModuleSlot &slot : warpwright::slotsOf(path)) {
        for (size_t place = 0; place < openerCount; ++place) {
            if (!slot.isImported() || std::strcmp(slot.name, openers[place]) != 0)
                continue;
            honest[place] = reinterpret_cast<Open>(*slot.address);
            warpwright::writeSlot(slot.address, timedOpener(place, std::make_index_sequence<openerCount>()));
            ++found;
        }
    }
    return found;
}

/// Forgets those that were timed so far. Switched off, a region costs one more jump.
void ww_time_regions(int isWanted) {
    count = 0;
    isOn = isWanted != 0;
}

/// Those timed so far, in the order of their ends; `kept`: how many there was room for. The number of all.
uint32_t ww_timed_regions(const Region **first, uint32_t *kept) {
    *first = regions;
    *kept = std::min<uint32_t>(count, mostRegions);
    return count;
}

} // extern "C"
