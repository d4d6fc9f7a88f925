// SPDX-License-Identifier: GPL-3.0-or-later
// y = softmax(x * scale + bias) over each row.
#include <cuda_runtime.h>

#include <cmath>

namespace {

constexpr int kThreads = 256; // of a block: a multiple of a warp's 32

// One thread takes one row, and reads it three times: for the maximum, for the sum, for the quotient.
__global__ void softmaxRows(const float *__restrict__ x, const float *__restrict__ bias,
                            float *__restrict__ y, float scale, int rows, int columns) {
    const int row = blockIdx.x * kThreads + threadIdx.x;
    if (row >= rows)
        return;
    const float *in = x + size_t(row) * columns;
    float *out = y + size_t(row) * columns;

    // The largest logit becomes exp(0) = 1: nothing overflows, and the sum is at least 1.
    float largest = -INFINITY;
    for (int c = 0; c < columns; ++c)
        largest = fmaxf(largest, fmaf(in[c], scale, bias[c]));

    float sum = 0.0f;
    for (int c = 0; c < columns; ++c)
        sum += expf(fmaf(in[c], scale, bias[c]) - largest);

    for (int c = 0; c < columns; ++c)
        out[c] = expf(fmaf(in[c], scale, bias[c]) - largest) / sum;
}

} // namespace

// x, y: [rows, columns], bias: [columns]; columns is a multiple of 4 and at most 4096.
extern "C" void launchSoftmaxRows(const float *x, const float *bias, float *y, float scale, int rows,
                                  int columns, cudaStream_t stream) {
    const int blocks = (rows + kThreads - 1) / kThreads;
    softmaxRows<<<blocks, kThreads, 0, stream>>>(x, bias, y, scale, rows, columns);
}
