// SPDX-License-Identifier: GPL-3.0-or-later
// y = x / rms(x) * weight for each row: one block a row.
//
// The row is read twice, but it is small: the second read comes from the L1 cache.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;
constexpr int kSweep = kThreads * 4; // Columns that the block covers with one float4 per thread.
constexpr float kEpsilon = 1e-6f;

__global__ void __launch_bounds__(kThreads)
    rmsNorm(const float *__restrict__ x, const float *__restrict__ weight, float *__restrict__ y,
            int columns) {
    const float4 *in = reinterpret_cast<const float4 *>(x + size_t(blockIdx.x) * columns);
    const float4 *w = reinterpret_cast<const float4 *>(weight);
    float4 *out = reinterpret_cast<float4 *>(y + size_t(blockIdx.x) * columns);

    float sum = 0.0f;
    for (int sweep = 0; sweep < columns / kSweep; ++sweep) {
        const float4 v = in[sweep * kThreads + threadIdx.x];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }

    // A tree: first within each warp, then over the warps.
    __shared__ float warpSums[kThreads / 32];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        warpSums[threadIdx.x / 32] = sum;
    __syncthreads();
    float total = 0.0f;
    for (float warpSum : warpSums)
        total += warpSum;
    const float factor = rsqrtf(total / columns + kEpsilon);

    for (int i = threadIdx.x; i < columns / 4; i += kThreads) {
        const float4 v = in[i];
        const float4 a = w[i];
        out[i] = make_float4(v.x * factor * a.x, v.y * factor * a.y, v.z * factor * a.z, v.w * factor * a.w);
    }
}

} // namespace

// x, y: [rows, columns], weight: [columns]; columns is a multiple of 4. config is not used.
extern "C" void launchRmsNorm(const float *x, const float *weight, float *y, int rows, int columns, int,
                              cudaStream_t stream) {
    rmsNorm<<<rows, kThreads, 0, stream>>>(x, weight, y, columns);
}
