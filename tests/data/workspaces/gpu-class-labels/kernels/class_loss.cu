// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cuda_runtime.h>

__global__ void classLossKernel(const float *logits, const std::int64_t *labels, float *loss, int rows, int classes) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    const float *row = logits + static_cast<std::int64_t>(r) * classes;
    float largest = row[0];
    for (int c = 1; c < classes; ++c)
        largest = fmaxf(largest, row[c]);
    float sum = 0.0f;
    for (int c = 0; c < classes; ++c)
        sum += expf(row[c] - largest);
    loss[r] = logf(sum) + (largest - row[labels[r]]);
}

extern "C" void launchClassLoss(const float *logits, const std::int64_t *labels, float *loss, int rows, int classes,
                                cudaStream_t stream) {
    classLossKernel<<<(rows + 63) / 64, 64, 0, stream>>>(logits, labels, loss, rows, classes);
}
