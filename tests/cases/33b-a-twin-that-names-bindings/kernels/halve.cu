// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cuda_runtime.h>

__global__ void halve(const float *x, const float *gain, float *y, std::int64_t count, int width) {
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = 0.5f * x[i] * gain[i % width];
}

extern "C" void launchHalve(const float *x, const float *gain, float *y, std::int64_t count, int width, cudaStream_t stream) {
    halve<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(x, gain, y, count, width);
}
