// SPDX-License-Identifier: GPL-3.0-or-later
// sums[label[i]] += value[i]. One thread takes four elements by 16-byte loads.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    sumByLabel(const float4 *__restrict__ values, const longlong2 *__restrict__ labels,
               float *__restrict__ sums, int vectors) {
    const int at = blockIdx.x * kThreads + threadIdx.x;
    if (at >= vectors)
        return;
    const float4 v = __ldcs(values + at);
    const longlong2 first = __ldcs(labels + 2 * at);
    const longlong2 second = __ldcs(labels + 2 * at + 1);
    atomicAdd(sums + first.x, v.x);
    atomicAdd(sums + first.y, v.y);
    atomicAdd(sums + second.x, v.z);
    atomicAdd(sums + second.y, v.w);
}

} // namespace

// values: [count], labels: [count] in 0 ... clusters - 1, sums: [clusters]; count is a multiple of 4.
extern "C" void launchSumByLabel(const float *values, const long long *labels, float *sums, int count,
                                 int clusters, cudaStream_t stream) {
    cudaMemsetAsync(sums, 0, clusters * sizeof(float), stream);
    const int vectors = count / 4;
    sumByLabel<<<(vectors + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
        reinterpret_cast<const float4 *>(values), reinterpret_cast<const longlong2 *>(labels), sums, vectors);
}
