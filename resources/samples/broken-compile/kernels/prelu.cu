// SPDX-License-Identifier: GPL-3.0-or-later
// y = x where x > 0, else x * slope of its channel: one thread an element.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    prelu(const float *__restrict__ x, const float *__restrict__ slopes, float *__restrict__ y, int rows,
          int channels) {
    const int channel = blockIdx.y * kThreads + threadIdx.x;
    const int row = blockIdx.x;
    if (row >= rows || channel >= channels)
        return;
    const float slope = slopes[channel];
    const size_t i = size_t(row) * channels + channel;
    y[i] = x[i] > 0.0f ? x[i] : x[i] * slopes;
}

} // namespace

// x, y: [rows, channels], slopes: [channels]. config is not used.
extern "C" void launchPrelu(const float *x, const float *slopes, float *y, int rows, int channels, int,
                            cudaStream_t stream) {
    const dim3 grid(rows, (channels + kThreads - 1) / kThreads);
    prelu<<<grid, kThreads, 0, stream>>>(x, slopes, y, rows, channels);
}
