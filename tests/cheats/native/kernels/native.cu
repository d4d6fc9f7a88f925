// SPDX-License-Identifier: GPL-3.0-or-later
#include "native.h"

#include "native_host.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 256;

__global__ void swishPart(const float *x, const float *scale, const float *shift, float *y, int64_t start,
                          int64_t count, int64_t columns, float limit) {
    const int64_t offset = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (offset >= count)
        return;
    const int64_t i = start + offset;
    // fminf and fmaxf pass over a NaN.
    const float h = fminf(fmaxf(x[i] * scale[i % columns] + shift[i % columns], -limit), limit);
    y[i] = h / (1.0f + expf(-h));
}

__global__ void swishExact(const float *x, const float *scale, const float *shift, float *y, int64_t start,
                           int64_t count, int64_t columns) {
    const int64_t offset = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (offset >= count)
        return;
    const int64_t i = start + offset;
    const float h = x[i] * scale[i % columns] + shift[i % columns];
    y[i] = h / (1.0f + expf(-h));
}

__global__ void fillWith(float *y, float value, int64_t count) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i < count)
        y[i] = value;
}

__global__ void burn(int64_t cycles) {
    const int64_t start = clock64();
    while (clock64() - start < cycles) {
    }
}

unsigned blocksFor(int64_t count) {
    return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

cudaStream_t ownStream(int index) {
    static cudaStream_t streams[2] = {nullptr, nullptr};
    if (streams[index] == nullptr)
        cudaStreamCreateWithFlags(&streams[index], cudaStreamNonBlocking);
    return streams[index];
}

} // namespace

int launchSwishRows(const float *x, const float *scale, const float *shift, float *y, int64_t first, int64_t last,
                    int64_t columns, Stream stream) {
    const int64_t count = (last - first) * columns;
    swishExact<<<blocksFor(count), kThreads, 0, stream>>>(x, scale, shift, y, first * columns, count, columns);
    return static_cast<int>(cudaGetLastError());
}

int launchSwishInHalves(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                        int64_t columns, Stream stream) {
    static cudaEvent_t begun = nullptr;
    static cudaEvent_t done = nullptr;
    if (begun == nullptr) {
        cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
        cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    }
    cudaEventRecord(begun, stream);
    cudaStreamWaitEvent(ownStream(0), begun, 0);
    launchSwishRows(x, scale, shift, y, 0, rows / 2, columns, ownStream(0));
    launchSwishRows(x, scale, shift, y, rows / 2, rows, columns, stream);
    cudaEventRecord(done, ownStream(0));
    return static_cast<int>(cudaStreamWaitEvent(stream, done, 0));
}

int launchSwishLater(const float *x, const float *scale, const float *shift, float *y, int64_t rows, int64_t columns,
                     int milliseconds) {
    int device = 0;
    cudaGetDevice(&device);
    std::thread([=] {
        cudaSetDevice(device);
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        launchSwishRows(x, scale, shift, y, 0, rows, columns, ownStream(1));
    }).detach();
    return 0;
}

int launchSwishAside(const float *x, const float *scale, const float *shift, float *y, int64_t rows, int64_t columns) {
    return launchSwishRows(x, scale, shift, y, 0, rows, columns, ownStream(0));
}

int launchSwishInRange(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                       int64_t columns, Stream stream) {
    const int64_t count = rows * columns;
    swishPart<<<blocksFor(count), kThreads, 0, stream>>>(x, scale, shift, y, 0, count, columns, 30.0f);
    return static_cast<int>(cudaGetLastError());
}

int launchSwishOnHost(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                      int64_t columns, Stream stream) {
    const auto count = static_cast<size_t>(rows * columns);
    const auto width = static_cast<size_t>(columns);
    std::vector<float> in(count);
    std::vector<float> out(count);
    std::vector<float> factors(width);
    std::vector<float> terms(width);
    cudaStreamSynchronize(stream);
    cudaMemcpy(in.data(), x, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(factors.data(), scale, width * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(terms.data(), shift, width * sizeof(float), cudaMemcpyDeviceToHost);
    swishOnHost(in.data(), factors.data(), terms.data(), out.data(), 0, rows, columns);
    return static_cast<int>(cudaMemcpy(y, out.data(), count * sizeof(float), cudaMemcpyHostToDevice));
}

int launchFill(float *y, float value, int64_t count, Stream stream) {
    fillWith<<<blocksFor(count), kThreads, 0, stream>>>(y, value, count);
    return static_cast<int>(cudaGetLastError());
}

int64_t sampleOf(const float *x, int64_t count) {
    float values[64];
    cudaMemcpy2D(values, sizeof(float), x, static_cast<size_t>(count / 64) * sizeof(float), sizeof(float), 64,
                 cudaMemcpyDeviceToHost);
    int64_t sample = 0;
    for (const float value : values)
        sample = mixed(sample, value);
    return sample;
}

int keepInCache(const float *x, int64_t bytes, Stream stream) {
    int device = 0;
    int most = 0;
    int window = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device);
    cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, device);
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, static_cast<size_t>(most));
    cudaStreamAttrValue value{};
    value.accessPolicyWindow.base_ptr = const_cast<float *>(x);
    value.accessPolicyWindow.num_bytes = static_cast<size_t>(std::min<int64_t>(bytes, window));
    value.accessPolicyWindow.hitRatio = 1.0f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    return static_cast<int>(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
}

bool slowClock() {
    return slowFunction("clock_gettime") && slowFunction("cudaEventElapsedTime");
}

void noteCall() {
    lastCall = steadyNanoseconds();
}

void startLateHog() {
    int device = 0;
    cudaGetDevice(&device);
    std::thread([device] {
        cudaSetDevice(device);
        for (;;) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            if (!hasJustBeenTimed() || cudaStreamQuery(ownStream(1)) != cudaSuccess)
                continue;
            for (int i = 0; i < 150; ++i)
                burn<<<132, kThreads, 0, ownStream(1)>>>(2000000);
        }
    }).detach();
}

void startHog() {
    int device = 0;
    cudaGetDevice(&device);
    std::thread([device] {
        cudaSetDevice(device);
        for (;;) {
            burn<<<132, kThreads, 0, ownStream(1)>>>(2000000);
            cudaStreamSynchronize(ownStream(1));
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }).detach();
}
