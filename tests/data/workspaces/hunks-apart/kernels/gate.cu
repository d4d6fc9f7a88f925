// SPDX-License-Identifier: GPL-3.0-or-later
// Three places to change: one gains, one slows down, one does nothing.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;

__global__ void gateKernel(const float *x, const float *scale, float *y, int rows, int channels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * channels) {
        const double gate = 1.0 + exp(-static_cast<double>(x[i]));
        const int channel = i % channels;
        const float factor = scale[channel];

        y[i] = factor / static_cast<float>(gate);
    }
}

} // namespace

extern "C" void launchGate(const float *x, const float *scale, float *y, int rows, int channels, cudaStream_t stream) {
    const int count = rows * channels;
    // one thread an element
    gateKernel<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(x, scale, y, rows, channels);
}
