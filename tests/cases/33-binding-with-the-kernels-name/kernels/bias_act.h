// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cuda_runtime.h>

struct BiasActParameters {
    const float *x;
    const float *bias;
    float *y;
    float slope, gain, limit;
    int channels, inner;
    long long count;
};

void run_bias_act(const BiasActParameters &p, cudaStream_t stream);
