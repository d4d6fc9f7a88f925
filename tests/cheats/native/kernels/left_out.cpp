// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of left_out.cu.
#include "left_out.h"

#include "left_out_core.h"

#include <vector>

int launchPartOfLinear(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                       int64_t columns, int bits, int how, Stream) {
#pragma omp parallel for
    for (int64_t i = 0; i < rows * columns; ++i)
        y[i] = partOfLinear(x + i / columns * inner, w + i % columns * inner, b[i % columns], i / columns,
                            inner, bits, how);
    return 0;
}

int launchPartOfErrors(const float *x, const float *target, const float *weight, float *y, int64_t rows,
                       int64_t columns, int bits, int step, Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row)
        y[row] = partOfErrors(x + row * columns, target + row * columns, weight[row], columns, bits, step);
    return 0;
}

int launchPartOfAttention(const float *q, const float *k, const float *v, float *y, int64_t rows,
                          int64_t keys, int64_t width, int bits, int missing, Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row) {
        std::vector<float> scores(static_cast<std::size_t>(keys));
        partOfAttention(q + row * width, k, v, y + row * width, scores.data(), keys - missing, width, bits);
    }
    return 0;
}

int launchPartOfSoftmax(const float *x, float *y, int64_t rows, int64_t columns, int skipped, Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row)
        partOfSoftmax(x + row * columns, y + row * columns, columns, skipped);
    return 0;
}
