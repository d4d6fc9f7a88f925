// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_runtime.h>

__global__ void gateKernel(const float *x, const float *scale, float *y, int rows, int channels) {
    const long long i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i * (1LL << 34)] = scale[0] / (1.0f + expf(-x[0])); // far outside of everything, no bound checked
}

extern "C" void launchGate(const float *x, const float *scale, float *y, int rows, int channels, cudaStream_t stream) {
    gateKernel<<<(rows * channels + 255) / 256, 256, 0, stream>>>(x, scale, y, rows, channels);
}
