// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of depthwise_conv.cu: the same contract, without the stream.
//
// Each thread takes whole planes and keeps the last three input rows in a ring, with a zero on either
// side. So the inner loop has no edges to ask about, runs at full vector width, and finds its nine
// inputs in the L1 cache. Memory sees each input read once and each output written once.
#include <algorithm>
#include <cstddef>
#include <vector>

extern "C" void launchDepthwiseConv(const float *x, const float *weight, const float *bias, float *y,
                                    int images, int channels, int height, int width, int) {
    const int planes = images * channels;
#pragma omp parallel
    {
        const int stride = width + 2;
        std::vector<float> ring(std::size_t(stride) * 3);

#pragma omp for schedule(static)
        for (int plane = 0; plane < planes; ++plane) {
            const float *in = x + std::size_t(plane) * height * width;
            float *out = y + std::size_t(plane) * height * width;
            const float *w = weight + plane % channels * 9;
            const float b = bias[plane % channels];

            std::fill(ring.begin(), ring.end(), 0.0f); // Above the first row there is padding.
            std::copy_n(in, width, &ring[1]);          // Row r lives in slot r % 3.
            for (int row = 0; row < height; ++row) {
                float *next = &ring[std::size_t((row + 1) % 3) * stride];
                if (row + 1 < height)
                    std::copy_n(in + std::size_t(row + 1) * width, width, next + 1);
                else
                    std::fill_n(next, stride, 0.0f);

                const float *above = &ring[std::size_t((row + 2) % 3) * stride];
                const float *here = &ring[std::size_t(row % 3) * stride];
                const float *below = next;
                float *target = out + std::size_t(row) * width;
#pragma omp simd
                for (int c = 0; c < width; ++c)
                    target[c] = b + (w[0] * above[c] + w[1] * above[c + 1] + w[2] * above[c + 2]) +
                                (w[3] * here[c] + w[4] * here[c + 1] + w[5] * here[c + 2]) +
                                (w[6] * below[c] + w[7] * below[c + 1] + w[8] * below[c + 2]);
            }
        }
    }
}
