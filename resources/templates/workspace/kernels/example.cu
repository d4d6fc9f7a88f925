// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel to start from: y = factor * x, one float4 a thread. Put your own in its place.
//
// This file knows nothing of PyTorch: pointers and sizes come in, a kernel is launched on a stream.
// `config` chooses between variants (threads a block, rows a thread ...) without a new build.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    scale(const float *__restrict__ x, float *__restrict__ y, float factor, long long count) {
    const long long first = 4 * (static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x);
    if (first + 4 <= count) {
        const float4 v = *reinterpret_cast<const float4 *>(x + first);
        *reinterpret_cast<float4 *>(y + first) =
            make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
    } else {
        // The tail: up to three elements after the last full float4.
        for (long long i = first; i < count; ++i)
            y[i] = factor * x[i];
    }
}

} // namespace

// x, y: [count], pointers of 16 bytes.
extern "C" void launchExample(const float *x, float *y, float factor, long long count, int config,
                              cudaStream_t stream) {
    static_cast<void>(config);
    if (count == 0)
        return; // A grid of no blocks is an error.
    const long long perBlock = 4 * kThreads;
    scale<<<static_cast<unsigned int>((count + perBlock - 1) / perBlock), kThreads, 0, stream>>>(x, y, factor,
                                                                                                 count);
}
