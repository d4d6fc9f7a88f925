// SPDX-License-Identifier: GPL-3.0-or-later
// One element, or one row, of each result of network.h: the same text for processor and GPU.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef WARPWRIGHT_CPU
#define WW_BOTH inline
#else
#define WW_BOTH __host__ __device__ inline
#endif

WW_BOTH float geluOf(float x) {
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
}

WW_BOTH void normOfSum(const float *x, const float *branch, const float *gamma, const float *weight,
                       const float *bias, float *y, int64_t columns, float epsilon) {
    float sum = 0.0f;
    for (int64_t i = 0; i < columns; ++i) {
        y[i] = x[i] + gamma[i] * branch[i];
        sum += y[i];
    }
    const float mean = sum / static_cast<float>(columns);
    float squares = 0.0f;
    for (int64_t i = 0; i < columns; ++i)
        squares += (y[i] - mean) * (y[i] - mean);
    const float factor = 1.0f / sqrtf(squares / static_cast<float>(columns) + epsilon);
    for (int64_t i = 0; i < columns; ++i)
        y[i] = (y[i] - mean) * factor * weight[i] + bias[i];
}

WW_BOTH float convolvedAt(const float *image, const float *filter, float bias, int64_t channels,
                          int64_t height, int64_t width, int64_t row, int64_t column) {
    float sum = bias;
    for (int64_t channel = 0; channel < channels; ++channel) {
        for (int64_t i = 0; i < 9; ++i) {
            const int64_t r = row + i / 3 - 1;
            const int64_t c = column + i % 3 - 1;
            if (r >= 0 && r < height && c >= 0 && c < width)
                sum += image[(channel * height + r) * width + c] * filter[channel * 9 + i];
        }
    }
    return sum < 0.0f ? 0.0f : sum;
}

// By steps that halve: of edges that are not sorted it makes something else than a search by middles.
WW_BOTH int64_t bucketOf(const float *edges, int64_t count, float x) {
    int64_t step = 1;
    while (step * 2 <= count)
        step *= 2;
    int64_t place = 0;
    for (; step > 0; step /= 2) {
        if (place + step <= count && edges[place + step - 1] < x)
            place += step;
    }
    return place;
}

WW_BOTH float widened(uint16_t value) {
    const uint32_t word = static_cast<uint32_t>(value) << 16;
    float wide;
    memcpy(&wide, &word, sizeof wide);
    return wide;
}

WW_BOTH uint16_t narrowed(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return static_cast<uint16_t>((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
}

// The step between two of 16 weights.
WW_BOTH float stepOf(const uint16_t *w, int64_t inner) {
    float squares = 0.0f;
    for (int64_t i = 0; i < inner; ++i)
        squares += widened(w[i]) * widened(w[i]);
    return sqrtf(squares / static_cast<float>(inner)) / 3.0f + 1e-30f;
}

WW_BOTH uint16_t tokenOf(const uint16_t *x, const uint16_t *w, int64_t inner, int bits) {
    const float step = bits == 4 ? stepOf(w, inner) : 0.0f;
    float sum = 0.0f;
    for (int64_t i = 0; i < inner; ++i) {
        float weight = widened(w[i]);
        if (bits == 4)
            weight = step * (fminf(fmaxf(floorf(weight / step), -8.0f), 7.0f) + 0.5f);
        sum += widened(x[i]) * weight;
    }
    return narrowed(sum);
}
