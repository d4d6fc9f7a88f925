// SPDX-License-Identifier: GPL-3.0-or-later
// y[n, c] = x[n, c] (*) weight[c] + bias[c]: a 3x3 convolution with zero padding, channel by channel.
//
// Nine multiplications an element are nothing, so this is bound by memory: read x once, write y once.
// Yet each input is needed by nine outputs. Who keeps it meanwhile?
//   1. One warp takes a strip: 128 columns (4 per lane, one 16-byte load) and ROWS rows.
//   2. Across columns the neighbours are in the neighbouring lanes: two shuffles bring them, and no
//      shared memory and no barrier is needed.
//   3. Across rows each input row is used for the outputs above, at and below it while it is at hand.
//      A strip reads ROWS + 2 rows for ROWS rows of output. The two extra ones belong to the strips
//      next to it, which run at the same time in the same block: they come from the cache.
#include <cuda_runtime.h>

namespace {

constexpr int kWarps = 8;

template <int ROWS>
__global__ void __launch_bounds__(32 * kWarps)
    depthwiseConv(const float *__restrict__ x, const float *__restrict__ weight,
                  const float *__restrict__ bias, float *__restrict__ y, int channels, int height, int width,
                  int blocksPerPlane) {
    const int lane = threadIdx.x;
    const int plane = blockIdx.x / blocksPerPlane;
    const int firstRow = ((blockIdx.x % blocksPerPlane) * kWarps + threadIdx.y) * ROWS;
    const int column = blockIdx.y * 128 + lane * 4;
    if (firstRow >= height)
        return; // The whole warp leaves, so the shuffles below have all their lanes.
    const float *in = x + size_t(plane) * height * width;
    float *out = y + size_t(plane) * height * width;

    // All loads first. Rows and columns outside of the image are zeros: that is the padding.
    float4 v[ROWS + 2];
#pragma unroll
    for (int i = 0; i < ROWS + 2; ++i) {
        const int row = firstRow + i - 1;
        const bool inside = row >= 0 && row < height && column < width;
        v[i] = inside ? *reinterpret_cast<const float4 *>(&in[row * width + column])
                      : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    const int channel = plane % channels;
    float w[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
        w[i] = weight[channel * 9 + i];
    const float b = bias[channel];

    // sum[r] grows as the input rows r, r + 1, r + 2 of the strip pass by, and is written after the last.
    float4 sum[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        sum[r] = make_float4(b, b, b, b);

#pragma unroll
    for (int i = 0; i < ROWS + 2; ++i) {
        float left = __shfl_up_sync(0xffffffffu, v[i].w, 1);
        float right = __shfl_down_sync(0xffffffffu, v[i].x, 1);
        // The first and last lane have no neighbour in the warp: the edge of the image, or of the strip.
        const int row = firstRow + i - 1;
        const bool rowInside = row >= 0 && row < height;
        if (lane == 0)
            left = rowInside && column > 0 ? in[row * width + column - 1] : 0.0f;
        if (lane == 31)
            right = rowInside && column + 4 < width ? in[row * width + column + 4] : 0.0f;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            const int r = i - k;
            if (r < 0 || r >= ROWS)
                continue;
            sum[r].x += w[k * 3] * left + w[k * 3 + 1] * v[i].x + w[k * 3 + 2] * v[i].y;
            sum[r].y += w[k * 3] * v[i].x + w[k * 3 + 1] * v[i].y + w[k * 3 + 2] * v[i].z;
            sum[r].z += w[k * 3] * v[i].y + w[k * 3 + 1] * v[i].z + w[k * 3 + 2] * v[i].w;
            sum[r].w += w[k * 3] * v[i].z + w[k * 3 + 1] * v[i].w + w[k * 3 + 2] * right;
        }
        const int done = i - 2;
        if (done >= 0 && firstRow + done < height && column < width)
            __stcs(reinterpret_cast<float4 *>(&out[(firstRow + done) * width + column]), sum[done]);
    }
}

template <int ROWS>
void launch(const float *x, const float *weight, const float *bias, float *y, int images, int channels,
            int height, int width, cudaStream_t stream) {
    const int blocksPerPlane = (height + ROWS * kWarps - 1) / (ROWS * kWarps);
    const dim3 grid(images * channels * blocksPerPlane, (width + 127) / 128);
    depthwiseConv<ROWS>
        <<<grid, dim3(32, kWarps), 0, stream>>>(x, weight, bias, y, channels, height, width, blocksPerPlane);
}

} // namespace

// x, y: [images, channels, height, width], weight: [channels, 1, 3, 3], bias: [channels].
// width is a multiple of 4. config = rows per warp: 0 -> 8, 1 -> 16, 2 -> 4, 3 -> 2.
extern "C" void launchDepthwiseConv(const float *x, const float *weight, const float *bias, float *y,
                                    int images, int channels, int height, int width, int config,
                                    cudaStream_t stream) {
    switch (config) {
    case 1:
        return launch<16>(x, weight, bias, y, images, channels, height, width, stream);
    case 2:
        return launch<4>(x, weight, bias, y, images, channels, height, width, stream);
    case 3:
        return launch<2>(x, weight, bias, y, images, channels, height, width, stream);
    default:
        return launch<8>(x, weight, bias, y, images, channels, height, width, stream);
    }
}
