// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of network.cu.
#include "network.h"

#include "network_core.h"

int launchGelu(const float *x, float *y, int64_t count, Stream) {
#pragma omp parallel for
    for (int64_t i = 0; i < count; ++i)
        y[i] = geluOf(x[i]);
    return 0;
}

int launchNormOfSum(const float *x, const float *branch, const float *gamma, const float *weight,
                    const float *bias, float *y, int64_t rows, int64_t columns, float epsilon, Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row)
        normOfSum(x + row * columns, branch + row * columns, gamma, weight, bias, y + row * columns, columns,
                  epsilon);
    return 0;
}

int launchConvolution(const float *x, const float *w, const float *b, float *y, int64_t images,
                      int64_t channels, int64_t filters, int64_t height, int64_t width, Stream) {
#pragma omp parallel for
    for (int64_t plane = 0; plane < images * filters; ++plane) {
        const int64_t filter = plane % filters;
        for (int64_t i = 0; i < height * width; ++i)
            y[plane * height * width + i] =
                convolvedAt(x + plane / filters * channels * height * width, w + filter * channels * 9,
                            b[filter], channels, height, width, i / width, i % width);
    }
    return 0;
}

int launchBuckets(const float *edges, int64_t count, const float *x, int64_t *y, int64_t numbers, Stream) {
#pragma omp parallel for
    for (int64_t i = 0; i < numbers; ++i)
        y[i] = bucketOf(edges, count, x[i]);
    return 0;
}

int launchToken(const uint16_t *x, const uint16_t *w, uint16_t *y, int64_t rows, int64_t inner,
                int64_t columns, int bits, Stream) {
#pragma omp parallel for
    for (int64_t i = 0; i < rows * columns; ++i)
        y[i] = tokenOf(x + i / columns * inner, w + i % columns * inner, inner, bits);
    return 0;
}
