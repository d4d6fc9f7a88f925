// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cuda_runtime.h>

__global__ void rowScale(const float *x, const float *scale, float *y, int width) {
    const std::int64_t first = std::int64_t(blockIdx.x) * width;
    for (int c = threadIdx.x; c < width; c += blockDim.x)
        y[first + c] = x[first + c] * scale[blockIdx.x];
}

void launchRowScale(const float *x, const float *scale, float *y, int rows, int width, cudaStream_t stream) {
    rowScale<<<rows, 128, 0, stream>>>(x, scale, y, width);
}
