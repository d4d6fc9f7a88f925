// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_runtime.h>

__global__ void binaryLossKernel(const float *p, const float *targets, float *loss, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        loss[i] = (targets[i] - 1.0f) * fmaxf(log1pf(-p[i]), -100.0f) - targets[i] * fmaxf(logf(p[i]), -100.0f);
}

extern "C" void launchBinaryLoss(const float *p, const float *targets, float *loss, int count, cudaStream_t stream) {
    binaryLossKernel<<<(count + 255) / 256, 256, 0, stream>>>(p, targets, loss, count);
}
