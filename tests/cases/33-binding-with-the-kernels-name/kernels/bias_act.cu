// SPDX-License-Identifier: GPL-3.0-or-later
#include "bias_act.h"

__global__ void bias_act_kernel(BiasActParameters p) {
    const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (i >= p.count)
        return;
    float v = p.x[i] + p.bias[(i / p.inner) % p.channels];
    v = (v > 0.0f ? v : v * p.slope) * p.gain;
    p.y[i] = fminf(fmaxf(v, -p.limit), p.limit);
}

void run_bias_act(const BiasActParameters &p, cudaStream_t stream) {
    const unsigned blocks = static_cast<unsigned>((p.count + 255) / 256);
    bias_act_kernel<<<blocks, 256, 0, stream>>>(p);
}
