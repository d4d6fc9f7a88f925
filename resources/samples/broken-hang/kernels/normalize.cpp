// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of normalize.cu: the same contract, without the stream (and the same mistake).
#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace {

constexpr int kWorkers = 4;
constexpr int kPart = 262144; // Elements a worker: enough for 1,048,576 of them.

struct Meeting {
    float partialSums[kWorkers] = {};
    std::atomic<int> arrivals{0};
};

void work(int worker, Meeting &meeting, const float *x, float *y, int count) {
    const int first = worker * kPart;
    if (first >= count)
        return; // A short vector: nothing left for this worker.
    const int last = std::min(first + kPart, count);

    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int i = first; i < last; ++i)
        sum += x[i] * x[i];
    meeting.partialSums[worker] = sum;

    meeting.arrivals.fetch_add(1);
    while (meeting.arrivals.load() < kWorkers)
        std::this_thread::yield();

    float total = 0.0f;
    for (int other = 0; other * kPart < count; ++other)
        total += meeting.partialSums[other];
    const float factor = 1.0f / std::sqrt(total);
    for (int i = first; i < last; ++i)
        y[i] = x[i] * factor;
}

} // namespace

extern "C" void launchNormalize(const float *x, float *y, int count, int) {
    Meeting meeting;
#pragma omp parallel for num_threads(kWorkers) schedule(static, 1)
    for (int worker = 0; worker < kWorkers; ++worker)
        work(worker, meeting, x, y, count);
}
