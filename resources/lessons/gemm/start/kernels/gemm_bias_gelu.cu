// SPDX-License-Identifier: GPL-3.0-or-later
// y = gelu(x * weight^T + bias), with GELU in its tanh form. All in float.
#include <cuda_runtime.h>

namespace {

// One thread, one element of the product.
constexpr int kSide = 16; // of a block of threads, 16 by 16

__global__ void multiply(const float *__restrict__ x, const float *__restrict__ weight, float *__restrict__ y,
                         int rows, int inner, int columns) {
    const int row = blockIdx.x * kSide + threadIdx.x;
    const int column = blockIdx.y * kSide + threadIdx.y;
    if (row >= rows || column >= columns)
        return;
    float sum = 0.0f;
    for (int k = 0; k < inner; ++k)
        sum += x[size_t(row) * inner + k] * weight[size_t(column) * inner + k];
    y[size_t(row) * columns + column] = sum;
}

__device__ float gelu(float v) {
    constexpr float kRootTwoOverPi = 0.797884561f;
    return 0.5f * v * (1.0f + tanhf(kRootTwoOverPi * (v + 0.044715f * v * v * v)));
}

// In place, after the product.
__global__ void biasGelu(const float *__restrict__ bias, float *__restrict__ y, int count, int columns) {
    const int i = blockIdx.x * kSide * kSide + threadIdx.x;
    if (i < count)
        y[i] = gelu(y[i] + bias[i % columns]);
}

} // namespace

// x: [rows, inner], weight: [columns, inner], bias: [columns], y: [rows, columns]; inner is a multiple of 32
// and at most 1024. Neither rows nor columns need be a multiple of anything.
extern "C" void launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                   int inner, int columns, cudaStream_t stream) {
    const dim3 threads(kSide, kSide);
    const dim3 blocks((rows + kSide - 1) / kSide, (columns + kSide - 1) / kSide);
    multiply<<<blocks, threads, 0, stream>>>(x, weight, y, rows, inner, columns);
    const int count = rows * columns;
    constexpr int kThreads = kSide * kSide;
    biasGelu<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(bias, y, count, columns);
}
