// SPDX-License-Identifier: GPL-3.0-or-later
#include "other_ways.h"

#include "other_ways_core.h"

#include <cmath>

namespace {

constexpr int kThreads = 256;

unsigned blocksFor(int64_t count) {
    return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

__device__ float overBlock(float value, bool isLargest) {
    __shared__ float shared[kThreads];
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const float other = shared[threadIdx.x + half];
            shared[threadIdx.x] = isLargest ? fmaxf(shared[threadIdx.x], other) : shared[threadIdx.x] + other;
        }
        __syncthreads();
    }
    const float result = shared[0];
    __syncthreads();
    return result;
}

__device__ void softmaxOfRow(const float *in, float *out, int64_t columns) {
    float largest = -INFINITY;
    for (int64_t i = threadIdx.x; i < columns; i += kThreads)
        largest = fmaxf(largest, in[i]);
    largest = overBlock(largest, true);
    float sum = 0.0f;
    for (int64_t i = threadIdx.x; i < columns; i += kThreads)
        sum += expf(in[i] - largest);
    sum = overBlock(sum, false);
    for (int64_t i = threadIdx.x; i < columns; i += kThreads)
        out[i] = expf(in[i] - largest) / sum;
}

__global__ void softmaxRows(const float *x, float *y, int64_t columns) {
    softmaxOfRow(x + blockIdx.x * columns, y + blockIdx.x * columns, columns);
}

// The next one may start; what this one reads and overwrites is ready when all before it have ended.
__global__ void softmaxRowsEarly(const float *x, float *y, int64_t columns) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
    softmaxOfRow(x + blockIdx.x * columns, y + blockIdx.x * columns, columns);
}

__global__ void winogradTiles(const float *x, const float *w, const float *b, float *y, int64_t count, int64_t channels,
                              int64_t filters, int64_t height, int64_t width) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i >= count)
        return;
    const int64_t tiles = height / 4 * (width / 4);
    const int64_t plane = i / tiles;
    const int64_t filter = plane % filters;
    const int64_t tile = i % tiles;
    winogradTile(x + plane / filters * channels * height * width, w + filter * channels * 9, b[filter],
                 y + plane * height * width, channels, height, width, tile / (width / 4) * 4, tile % (width / 4) * 4);
}

__global__ void copyNumbers(const float *x, float *y, int64_t count) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i < count)
        y[i] = x[i];
}

int lastError() {
    return static_cast<int>(cudaGetLastError());
}

bool canStartEarly() {
    int device = 0;
    int major = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    return major >= 9;
}

} // namespace

int softmaxOfRows(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    softmaxRows<<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(x, y, columns);
    return lastError();
}

int refusesSizes(int64_t rows, int64_t columns) {
    return rows > 0 && columns > 0 ? 0 : 1;
}

int launchWinograd(const float *x, const float *w, const float *b, float *y, int64_t images, int64_t channels,
                   int64_t filters, int64_t height, int64_t width, Stream stream) {
    const int64_t count = images * filters * (height / 4) * (width / 4);
    winogradTiles<<<blocksFor(count), kThreads, 0, stream>>>(x, w, b, y, count, channels, filters, height, width);
    return lastError();
}

int launchEarlySoftmax(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    static const bool isEarly = canStartEarly();
    if (!isEarly)
        return softmaxOfRows(x, y, rows, columns, stream);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(rows));
    config.blockDim = dim3(kThreads);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return static_cast<int>(cudaLaunchKernelEx(&config, softmaxRowsEarly, x, y, columns));
}

int launchCopy(const float *x, float *y, int64_t count, Stream stream) {
    copyNumbers<<<blocksFor(count), kThreads, 0, stream>>>(x, y, count);
    return lastError();
}
