// SPDX-License-Identifier: GPL-3.0-or-later
// One thread an element or a row: right and plain, not fast.
#include "network.h"

#include "network_core.h"

namespace {

constexpr int kThreads = 256;

unsigned blocksFor(int64_t count) {
    return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

__device__ int64_t place() {
    return blockIdx.x * int64_t(kThreads) + threadIdx.x;
}

__global__ void gelu(const float *x, float *y, int64_t count) {
    if (const int64_t i = place(); i < count)
        y[i] = geluOf(x[i]);
}

__global__ void normedSums(const float *x, const float *branch, const float *gamma, const float *weight,
                           const float *bias, float *y, int64_t rows, int64_t columns, float epsilon) {
    if (const int64_t row = place(); row < rows)
        normOfSum(x + row * columns, branch + row * columns, gamma, weight, bias, y + row * columns, columns, epsilon);
}

__global__ void convolved(const float *x, const float *w, const float *b, float *y, int64_t count, int64_t channels,
                          int64_t filters, int64_t height, int64_t width) {
    const int64_t i = place();
    if (i >= count)
        return;
    const int64_t plane = i / (height * width);
    const int64_t filter = plane % filters;
    y[i] = convolvedAt(x + plane / filters * channels * height * width, w + filter * channels * 9, b[filter], channels,
                       height, width, i / width % height, i % width);
}

__global__ void buckets(const float *edges, int64_t count, const float *x, int64_t *y, int64_t numbers) {
    if (const int64_t i = place(); i < numbers)
        y[i] = bucketOf(edges, count, x[i]);
}

__global__ void tokens(const uint16_t *x, const uint16_t *w, uint16_t *y, int64_t count, int64_t inner,
                       int64_t columns, int bits) {
    if (const int64_t i = place(); i < count)
        y[i] = tokenOf(x + i / columns * inner, w + i % columns * inner, inner, bits);
}

int lastError() {
    return static_cast<int>(cudaGetLastError());
}

} // namespace

int launchGelu(const float *x, float *y, int64_t count, Stream stream) {
    gelu<<<blocksFor(count), kThreads, 0, stream>>>(x, y, count);
    return lastError();
}

int launchNormOfSum(const float *x, const float *branch, const float *gamma, const float *weight, const float *bias,
                    float *y, int64_t rows, int64_t columns, float epsilon, Stream stream) {
    normedSums<<<blocksFor(rows), kThreads, 0, stream>>>(x, branch, gamma, weight, bias, y, rows, columns, epsilon);
    return lastError();
}

int launchConvolution(const float *x, const float *w, const float *b, float *y, int64_t images, int64_t channels,
                      int64_t filters, int64_t height, int64_t width, Stream stream) {
    const int64_t count = images * filters * height * width;
    convolved<<<blocksFor(count), kThreads, 0, stream>>>(x, w, b, y, count, channels, filters, height, width);
    return lastError();
}

int launchBuckets(const float *edges, int64_t count, const float *x, int64_t *y, int64_t numbers, Stream stream) {
    buckets<<<blocksFor(numbers), kThreads, 0, stream>>>(edges, count, x, y, numbers);
    return lastError();
}

int launchToken(const uint16_t *x, const uint16_t *w, uint16_t *y, int64_t rows, int64_t inner, int64_t columns,
                int bits, Stream stream) {
    tokens<<<blocksFor(rows * columns), kThreads, 0, stream>>>(x, w, y, rows * columns, inner, columns, bits);
    return lastError();
}
