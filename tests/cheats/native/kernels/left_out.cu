// SPDX-License-Identifier: GPL-3.0-or-later
// A thread an element, or a row: right and plain, not fast. What is tested is the judge.
#include "left_out.h"

#include "left_out_core.h"

namespace {

constexpr int kThreads = 128;

unsigned blocksFor(int64_t count) {
    return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

__device__ int64_t place() {
    return blockIdx.x * int64_t(kThreads) + threadIdx.x;
}

__global__ void linearPart(const float *x, const float *w, const float *b, float *y, int64_t count, int64_t inner,
                           int64_t columns, int bits, int how) {
    const int64_t i = place();
    if (i < count)
        y[i] = partOfLinear(x + i / columns * inner, w + i % columns * inner, b[i % columns], i / columns, inner, bits, how);
}

__global__ void errorsPart(const float *x, const float *target, const float *weight, float *y, int64_t rows,
                           int64_t columns, int bits, int step) {
    const int64_t row = place();
    if (row < rows)
        y[row] = partOfErrors(x + row * columns, target + row * columns, weight[row], columns, bits, step);
}

__global__ void attentionPart(const float *q, const float *k, const float *v, float *y, float *scores, int64_t rows,
                              int64_t room, int64_t keys, int64_t width, int bits) {
    const int64_t row = place();
    if (row < rows)
        partOfAttention(q + row * width, k, v, y + row * width, scores + row * room, keys, width, bits);
}

__global__ void softmaxPart(const float *x, float *y, int64_t rows, int64_t columns, int skipped) {
    const int64_t row = place();
    if (row < rows)
        partOfSoftmax(x + row * columns, y + row * columns, columns, skipped);
}

int lastError() {
    return static_cast<int>(cudaGetLastError());
}

} // namespace

int launchPartOfLinear(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                       int64_t columns, int bits, int how, Stream stream) {
    linearPart<<<blocksFor(rows * columns), kThreads, 0, stream>>>(x, w, b, y, rows * columns, inner, columns, bits, how);
    return lastError();
}

int launchPartOfErrors(const float *x, const float *target, const float *weight, float *y, int64_t rows,
                       int64_t columns, int bits, int step, Stream stream) {
    errorsPart<<<blocksFor(rows), kThreads, 0, stream>>>(x, target, weight, y, rows, columns, bits, step);
    return lastError();
}

int launchPartOfAttention(const float *q, const float *k, const float *v, float *y, int64_t rows, int64_t keys,
                          int64_t width, int bits, int missing, Stream stream) {
    float *scores = nullptr;
    if (const cudaError_t status = cudaMallocAsync(&scores, sizeof(float) * rows * keys, stream); status != cudaSuccess)
        return static_cast<int>(status);
    attentionPart<<<blocksFor(rows), kThreads, 0, stream>>>(q, k, v, y, scores, rows, keys, keys - missing, width, bits);
    cudaFreeAsync(scores, stream);
    return lastError();
}

int launchPartOfSoftmax(const float *x, float *y, int64_t rows, int64_t columns, int skipped, Stream stream) {
    softmaxPart<<<blocksFor(rows), kThreads, 0, stream>>>(x, y, rows, columns, skipped);
    return lastError();
}
