// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/cpu_chunks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <sched.h>
#include <thread>
#include <vector>

namespace warpwright {

namespace {

constexpr size_t chunksThatPay = 16; // for starting a thread

} // namespace

size_t coreCount() {
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? static_cast<size_t>(CPU_COUNT(&allowed)) : 1;
}

size_t chunkCount(int64_t count, int64_t step) {
    return static_cast<size_t>((count + step - 1) / step);
}

void forChunks(int64_t count, int64_t step, const std::function<void(int64_t, int64_t, size_t)> &work) {
    const size_t chunks = chunkCount(count, step);
    std::atomic<size_t> next{0};
    std::exception_ptr problem;
    std::mutex problemLock;
    const auto take = [&] {
        try {
            for (size_t chunk = next++; chunk < chunks; chunk = next++) {
                const int64_t begin = static_cast<int64_t>(chunk) * step;
                work(begin, std::min(count, begin + step), chunk);
            }
        } catch (...) {
            next = chunks;
            const std::lock_guard<std::mutex> hold(problemLock);
            if (!problem)
                problem = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (size_t i = 1; i < std::min(coreCount(), chunks / chunksThatPay); ++i)
        others.emplace_back(take);
    take();
    for (std::thread &other : others)
        other.join();
    if (problem)
        std::rethrow_exception(problem);
}

} // namespace warpwright
