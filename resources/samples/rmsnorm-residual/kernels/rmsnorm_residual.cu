// SPDX-License-Identifier: GPL-3.0-or-later
// h = x + residual; y = h / sqrt(mean(h * h) + epsilon) * weight, for each row.
//
// Two tensors in, one out: nothing can be faster than those three trips to memory. Eager PyTorch makes
// about ten, one or two for each of its operators. The row has to be known in full before its first
// element can be written, so the question is where it waits:
//   1. in registers. One block takes one row and reads it once; h never goes back to memory;
//   2. each thread starts the loads of both inputs before it adds the first pair;
//   3. the one sum that all threads need is a tree: a butterfly in each warp, then one word per warp.
//      A tree is also more exact than a running sum: rounding errors grow with its depth only.
#include <cuda_runtime.h>

namespace {

constexpr int kMaxColumns = 4096;

template <int THREADS>
__device__ float sumOverBlock(float value) {
    __shared__ float partials[THREADS / 32];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0)
        partials[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int warp = 0; warp < THREADS / 32; ++warp)
        sum += partials[warp];
    return sum;
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    rmsnormResidual(const float4 *__restrict__ x, const float4 *__restrict__ residual,
                    const float4 *__restrict__ weight, float4 *__restrict__ y, float epsilon, int vectors) {
    // Known when compiled: an array that is indexed by unrolled loops only is kept in registers.
    constexpr int kVectors = kMaxColumns / 4 / THREADS;
    const size_t row = size_t(blockIdx.x) * vectors;

    // Beyond the end of a short row zeros stand for "nothing": they add nothing to the sum.
    const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float4 h[kVectors];
    float4 r[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        const int column = i * THREADS + threadIdx.x;
        h[i] = column < vectors ? __ldcs(&x[row + column]) : zero;
        r[i] = column < vectors ? __ldcs(&residual[row + column]) : zero;
    }

    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        h[i] = make_float4(h[i].x + r[i].x, h[i].y + r[i].y, h[i].z + r[i].z, h[i].w + r[i].w);
        sum += (h[i].x * h[i].x + h[i].y * h[i].y) + (h[i].z * h[i].z + h[i].w * h[i].w);
    }
    const float factor = rsqrtf(sumOverBlock<THREADS>(sum) / float(vectors * 4) + epsilon);

    // All rows use the same weights: after the first rows they come from the cache.
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        const int column = i * THREADS + threadIdx.x;
        if (column < vectors) {
            const float4 w = weight[column];
            __stcs(&y[row + column], make_float4(h[i].x * factor * w.x, h[i].y * factor * w.y,
                                                 h[i].z * factor * w.z, h[i].w * factor * w.w));
        }
    }
}

template <int THREADS>
void launch(const float *x, const float *residual, const float *weight, float *y, float epsilon, int rows,
            int columns, cudaStream_t stream) {
    rmsnormResidual<THREADS><<<rows, THREADS, 0, stream>>>(
        reinterpret_cast<const float4 *>(x), reinterpret_cast<const float4 *>(residual),
        reinterpret_cast<const float4 *>(weight), reinterpret_cast<float4 *>(y), epsilon, columns / 4);
}

} // namespace

// x, residual, y: [rows, columns], weight: [columns]; columns is a multiple of 4 and at most 4096.
// config = threads per row: 0 -> 256, 1 -> 512, 2 -> 128, 3 -> 1024.
extern "C" void launchRmsnormResidual(const float *x, const float *residual, const float *weight, float *y,
                                      float epsilon, int rows, int columns, int config, cudaStream_t stream) {
    switch (config) {
    case 1:
        return launch<512>(x, residual, weight, y, epsilon, rows, columns, stream);
    case 2:
        return launch<128>(x, residual, weight, y, epsilon, rows, columns, stream);
    case 3:
        return launch<1024>(x, residual, weight, y, epsilon, rows, columns, stream);
    default:
        return launch<256>(x, residual, weight, y, epsilon, rows, columns, stream);
    }
}
