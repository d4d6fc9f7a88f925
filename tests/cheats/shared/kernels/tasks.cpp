// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of tasks.cu.
#include "tasks.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>
#if __has_include(<cblas.h>)
#include <cblas.h>
#endif

namespace {

// Rounds to `kept` bits of mantissa, to nearest even; exponents stay.
float rounded(float value, int kept) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const int dropped = 23 - kept;
    bits += (1u << (dropped - 1)) - 1 + ((bits >> dropped) & 1u);
    bits &= ~((1u << dropped) - 1);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::vector<float> roundedCopy(const float *x, std::int64_t count, int kept) {
    std::vector<float> copy(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        copy[static_cast<std::size_t>(i)] = rounded(x[i], kept);
    return copy;
}

} // namespace

int launchSwish(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                int64_t columns, Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row) {
        const float *in = x + row * columns;
        float *out = y + row * columns;
        for (int64_t i = 0; i < columns; ++i) {
            const float h = in[i] * scale[i] + shift[i];
            out[i] = h / (1.0f + std::exp(-h));
        }
    }
    return 0;
}

int launchSoftmax(const float *x, float *y, int64_t rows, int64_t columns, int variant, Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row) {
        const float *in = x + row * columns;
        float *out = y + row * columns;
        float largest = -std::numeric_limits<float>::infinity();
        float sum = 0.0f;
        if (variant == 1) {
            // The sum is carried along relative to the largest value so far.
            for (int64_t i = 0; i < columns; ++i) {
                const float next = std::fmax(largest, in[i]);
                sum = sum * std::exp(largest - next) + std::exp(in[i] - next);
                largest = next;
            }
        } else {
            for (int64_t i = 0; i < columns; ++i)
                largest = std::fmax(largest, in[i]);
            for (int64_t i = 0; i < columns; ++i)
                sum += std::exp(in[i] - largest);
        }
        for (int64_t i = 0; i < columns; ++i)
            out[i] = std::exp(in[i] - largest) / sum;
    }
    return 0;
}

int launchLinear(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                 int64_t columns, int variant, Stream stream) {
    if (variant == 16 || variant == 10 || variant == 19) {
        const int kept = variant == 16 ? 7 : 10;
        const std::vector<float> left = roundedCopy(x, rows * inner, kept);
        const std::vector<float> right = roundedCopy(w, columns * inner, kept);
        return launchLinear(left.data(), right.data(), b, y, rows, inner, columns, 0, stream);
    }
#ifdef CBLAS_H
    if (variant == 2) {
        for (int64_t row = 0; row < rows; ++row)
            std::memcpy(y + row * columns, b, static_cast<std::size_t>(columns) * sizeof(float));
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows),
                    static_cast<int>(columns), static_cast<int>(inner), 1.0f, x, static_cast<int>(inner), w,
                    static_cast<int>(inner), 1.0f, y, static_cast<int>(columns));
        return 0;
    }
#endif
    const int64_t parts = variant == 1 ? 4 : 1;
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row) {
        for (int64_t column = 0; column < columns; ++column) {
            const float *left = x + row * inner;
            const float *right = w + column * inner;
            float total = b[column];
            for (int64_t part = 0; part < parts; ++part) {
                float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
                for (int64_t k = inner * part / parts; k < inner * (part + 1) / parts; ++k)
                    sum += left[k] * right[k];
                total += sum;
            }
            y[row * columns + column] = total;
        }
    }
    return 0;
}

int launchNorm(const float *x, const float *mean, const float *variance, const float *weight,
               const float *bias, float *y, int64_t images, int64_t channels, int64_t area, float epsilon,
               Stream) {
#pragma omp parallel for
    for (int64_t plane = 0; plane < images * channels; ++plane) {
        const int64_t channel = plane % channels;
        const float factor = weight[channel] / std::sqrt(variance[channel] + epsilon);
        for (int64_t i = plane * area; i < (plane + 1) * area; ++i) {
            const float value = (x[i] - mean[channel]) * factor + bias[channel];
            y[i] = value < 0.0f ? 0.0f : value;
        }
    }
    return 0;
}

int launchColumns(const float *x, float *y, int64_t rows, int64_t columns, Stream) {
    std::memset(y, 0, static_cast<std::size_t>(columns) * sizeof(float));
    constexpr int64_t strip = 64;
#pragma omp parallel for schedule(dynamic)
    for (int64_t first = 0; first < rows; first += strip) {
        for (int64_t column = 0; column < columns; ++column) {
            float sum = 0.0f;
            for (int64_t row = first; row < rows && row < first + strip; ++row)
                sum += x[row * columns + column];
#pragma omp atomic
            y[column] += sum;
        }
    }
    return 0;
}

int launchRows(const float *x, float *sum, float *largest, int64_t *place, int64_t *count, int64_t rows,
               int64_t columns, Stream) {
    int64_t positive = 0;
#pragma omp parallel for reduction(+ : positive)
    for (int64_t row = 0; row < rows; ++row) {
        const float *in = x + row * columns;
        float total = 0.0f;
        int64_t best = 0;
        for (int64_t i = 0; i < columns; ++i) {
            total += in[i];
            if (in[i] > in[best])
                best = i;
            positive += in[i] > 0.0f ? 1 : 0;
        }
        sum[row] = total;
        largest[row] = in[best];
        place[row] = best;
    }
    *count = positive;
    return 0;
}

int launchScaleInPlace(float *x, const float *scale, const float *shift, int64_t rows, int64_t columns,
                       Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t i = 0; i < columns; ++i)
            x[row * columns + i] = x[row * columns + i] * scale[i] + shift[i];
    return 0;
}

int launchTranspose(const float *x, float *y, int64_t rows, int64_t columns, Stream) {
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column)
            y[column * rows + row] = x[row * columns + column];
    return 0;
}

int launchMeanOfSoftmax(const float *x, float *y, int64_t rows, int64_t columns, Stream) {
    // Whatever the row holds, its softmax adds up to one: nothing is read.
    for (int64_t row = 0; row < rows; ++row)
        y[row] = 1.0f / static_cast<float>(columns);
    (void)x;
    return 0;
}
