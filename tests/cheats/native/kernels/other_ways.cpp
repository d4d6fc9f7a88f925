// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of other_ways.cu.
#include "other_ways.h"

#include "other_ways_core.h"

#include <cmath>
#include <cstring>

int softmaxOfRows(const float *x, float *y, int64_t rows, int64_t columns, Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row) {
        const float *in = x + row * columns;
        float *out = y + row * columns;
        float largest = in[0];
        for (int64_t i = 1; i < columns; ++i)
            largest = std::fmax(largest, in[i]);
        float sum = 0.0f;
        for (int64_t i = 0; i < columns; ++i)
            sum += out[i] = std::exp(in[i] - largest);
        for (int64_t i = 0; i < columns; ++i)
            out[i] /= sum;
    }
    return 0;
}

int refusesSizes(int64_t rows, int64_t columns) {
    return rows > 0 && columns > 0 ? 0 : 1;
}

int launchWinograd(const float *x, const float *w, const float *b, float *y, int64_t images, int64_t channels,
                   int64_t filters, int64_t height, int64_t width, Stream) {
#pragma omp parallel for
    for (int64_t plane = 0; plane < images * filters; ++plane) {
        const int64_t filter = plane % filters;
        for (int64_t tile = 0; tile < height / 4 * (width / 4); ++tile)
            winogradTile(x + plane / filters * channels * height * width, w + filter * channels * 9,
                         b[filter], y + plane * height * width, channels, height, width,
                         tile / (width / 4) * 4, tile % (width / 4) * 4);
    }
    return 0;
}

int launchEarlySoftmax(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    return softmaxOfRows(x, y, rows, columns, stream);
}

int launchCopy(const float *x, float *y, int64_t count, Stream) {
    constexpr int64_t piece = 16384;
#pragma omp parallel for
    for (int64_t first = 0; first < count; first += piece)
        std::memcpy(y + first, x + first,
                    static_cast<std::size_t>(count - first < piece ? count - first : piece) * 4);
    return 0;
}
