// SPDX-License-Identifier: GPL-3.0-or-later
// y = mish(x * scale + shift), one pass over memory.
//
// Eager PyTorch runs five kernels here, and each one reads and writes the whole tensor: ten trips to
// memory for arithmetic that takes no time. Fused, x is read once and y is written once. Then:
//   1. 16 bytes per load and store (float4), so that few instructions move many bytes;
//   2. each thread starts all its loads before it uses the first: memory answers in about a
//      microsecond, and only many bytes in flight hide that;
//   3. a thread stays in its four columns and walks down the rows, so that their scale and shift are
//      loaded once and kept in registers.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;

// mish(h) = h * tanh(softplus(h)) = h * tanh(log(1 + e)), with e = exp(h). A tanh of a logarithm is a
// rational function: tanh(log(u)) = (u*u - 1) / (u*u + 1). With u = 1 + e and n = e * (e + 2) it is
// n / (n + 2): one exponential and one division instead of exp, log and tanh. And nothing cancels,
// so it is exact to a few ulp over the whole range, also where h is very negative.
// From h = 20 on the quotient is 1 in float, so the clamp keeps e * e finite and changes no result.
// A NaN passes the clamp as 20 and comes back through the last factor; -inf gives -inf * 0 = NaN, as
// it does in PyTorch.
__device__ float scaledMish(float x, float scale, float shift) {
    const float h = fmaf(x, scale, shift);
    const float e = expf(fminf(h, 20.0f));
    const float n = e * (e + 2.0f);
    return h * __fdividef(n, n + 2.0f);
}

template <int ROWS>
__global__ void __launch_bounds__(kThreads)
    pointwiseChain(const float4 *__restrict__ x, const float4 *__restrict__ scale,
                   const float4 *__restrict__ shift, float4 *__restrict__ y, int rows, int vectors,
                   int blocksPerRow) {
    // Blocks that run at the same time lie side by side in memory: across the columns first.
    const int column = blockIdx.x % blocksPerRow * kThreads + threadIdx.x;
    const int firstRow = blockIdx.x / blocksPerRow * ROWS;
    if (column >= vectors)
        return;

    // __ldcs and __stcs say "used once": these lines need not push others out of the L2 cache.
    float4 v[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        if (firstRow + r < rows)
            v[r] = __ldcs(&x[size_t(firstRow + r) * vectors + column]);

    const float4 a = scale[column];
    const float4 b = shift[column];
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        if (firstRow + r < rows)
            __stcs(&y[size_t(firstRow + r) * vectors + column],
                   make_float4(scaledMish(v[r].x, a.x, b.x), scaledMish(v[r].y, a.y, b.y),
                               scaledMish(v[r].z, a.z, b.z), scaledMish(v[r].w, a.w, b.w)));
}

template <int ROWS>
void launch(const float *x, const float *scale, const float *shift, float *y, int rows, int channels,
            cudaStream_t stream) {
    const int vectors = channels / 4;
    const int blocksPerRow = (vectors + kThreads - 1) / kThreads;
    pointwiseChain<ROWS><<<(rows + ROWS - 1) / ROWS * blocksPerRow, kThreads, 0, stream>>>(
        reinterpret_cast<const float4 *>(x), reinterpret_cast<const float4 *>(scale),
        reinterpret_cast<const float4 *>(shift), reinterpret_cast<float4 *>(y), rows, vectors, blocksPerRow);
}

} // namespace

// x, y: [rows, channels], scale, shift: [channels]; channels is a multiple of 4, pointers of 16 bytes.
// config = rows per thread: 0 -> 4, 1 -> 2, 2 -> 8, 3 -> 1.
extern "C" void launchPointwiseChain(const float *x, const float *scale, const float *shift, float *y,
                                     int rows, int channels, int config, cudaStream_t stream) {
    switch (config) {
    case 1:
        return launch<2>(x, scale, shift, y, rows, channels, stream);
    case 2:
        return launch<8>(x, scale, shift, y, rows, channels, stream);
    case 3:
        return launch<1>(x, scale, shift, y, rows, channels, stream);
    default:
        return launch<4>(x, scale, shift, y, rows, channels, stream);
    }
}
