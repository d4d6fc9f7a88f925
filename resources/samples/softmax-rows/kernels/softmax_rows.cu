// SPDX-License-Identifier: GPL-3.0-or-later
// y = softmax(x * scale + bias) over each row, one pass over memory.
//
// By its formula a softmax reads the row three times: for the maximum, for the sum, for the quotient.
// A row of 4096 floats is 16 KB, and the registers of one block hold that with ease. So:
//   1. one block takes one row and keeps it in registers from the first read to the last write;
//   2. each thread starts all its 16-byte loads before it uses the first one;
//   3. threads meet twice only, for the maximum and for the sum. Meanwhile the other blocks of the
//      SM keep the memory busy: that is why the block is small and the grid is large.
#include <cuda_runtime.h>

#include <cmath>

namespace {

constexpr int kMaxColumns = 4096;

// Combines one value per thread, and every thread gets the result: a butterfly within each warp, then
// one word per warp through shared memory. `partials` must not be in use for anything else.
template <int THREADS, typename Combine>
__device__ float reduceBlock(float value, float *partials, Combine combine) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
    if (threadIdx.x % 32 == 0)
        partials[threadIdx.x / 32] = value;
    __syncthreads();
    value = partials[0];
#pragma unroll
    for (int warp = 1; warp < THREADS / 32; ++warp)
        value = combine(value, partials[warp]);
    return value;
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    softmaxRows(const float4 *__restrict__ x, const float4 *__restrict__ bias, float4 *__restrict__ y,
                float scale, int vectors) {
    // Known when compiled: an array that is indexed by unrolled loops only is kept in registers.
    constexpr int kVectors = kMaxColumns / 4 / THREADS;
    const float4 *in = x + size_t(blockIdx.x) * vectors;
    float4 *out = y + size_t(blockIdx.x) * vectors;

    float4 v[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        const int column = i * THREADS + threadIdx.x;
        // Beyond the end of a short row -inf stands for "nothing": exp(-inf) adds 0 to the sum.
        v[i] =
            column < vectors ? __ldcs(&in[column]) : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    }

    // The largest logit becomes exp(0) = 1: nothing overflows, and the sum is at least 1.
    // fmaxf passes over a NaN, but its exponential is NaN again and so is the sum: the whole row turns
    // NaN, as in PyTorch. So does a row with +inf (inf - inf), and a row of nothing but -inf.
    float largest = -INFINITY;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        const int column = i * THREADS + threadIdx.x;
        if (column < vectors) {
            const float4 b = bias[column];
            v[i] = make_float4(fmaf(v[i].x, scale, b.x), fmaf(v[i].y, scale, b.y), fmaf(v[i].z, scale, b.z),
                               fmaf(v[i].w, scale, b.w));
        }
        largest = fmaxf(largest, fmaxf(fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w)));
    }
    // Two arrays: with one, a quick warp could write its sum while a slow one still reads the maxima.
    __shared__ float maxima[THREADS / 32];
    __shared__ float sums[THREADS / 32];
    largest = reduceBlock<THREADS>(largest, maxima, [](float a, float b) { return fmaxf(a, b); });

    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        v[i] = make_float4(expf(v[i].x - largest), expf(v[i].y - largest), expf(v[i].z - largest),
                           expf(v[i].w - largest));
        sum += (v[i].x + v[i].y) + (v[i].z + v[i].w);
    }
    sum = reduceBlock<THREADS>(sum, sums, [](float a, float b) { return a + b; });

    const float factor = 1.0f / sum;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        const int column = i * THREADS + threadIdx.x;
        if (column < vectors)
            __stcs(&out[column],
                   make_float4(v[i].x * factor, v[i].y * factor, v[i].z * factor, v[i].w * factor));
    }
}

template <int THREADS>
void launch(const float *x, const float *bias, float *y, float scale, int rows, int columns,
            cudaStream_t stream) {
    softmaxRows<THREADS><<<rows, THREADS, 0, stream>>>(reinterpret_cast<const float4 *>(x),
                                                       reinterpret_cast<const float4 *>(bias),
                                                       reinterpret_cast<float4 *>(y), scale, columns / 4);
}

} // namespace

// x, y: [rows, columns], bias: [columns]; columns is a multiple of 4 and at most 4096.
// config = threads per row: 0 -> 256, 1 -> 512, 2 -> 128, 3 -> 1024.
extern "C" void launchSoftmaxRows(const float *x, const float *bias, float *y, float scale, int rows,
                                  int columns, int config, cudaStream_t stream) {
    switch (config) {
    case 1:
        return launch<512>(x, bias, y, scale, rows, columns, stream);
    case 2:
        return launch<128>(x, bias, y, scale, rows, columns, stream);
    case 3:
        return launch<1024>(x, bias, y, scale, rows, columns, stream);
    default:
        return launch<256>(x, bias, y, scale, rows, columns, stream);
    }
}
