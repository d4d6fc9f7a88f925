// SPDX-License-Identifier: GPL-3.0-or-later
// One element of each result of left_out.h: the same text for processor and GPU.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef WARPWRIGHT_CPU
#define WW_BOTH inline
#else
#define WW_BOTH __host__ __device__ inline
#endif

WW_BOTH float keptBits(float value, int bits) {
    const int dropped = 23 - (bits < 0 ? -bits : bits);
    if (dropped == 0)
        return value;
    std::uint32_t word;
    memcpy(&word, &value, sizeof word);
    if (bits > 0)
        word += (1u << (dropped - 1)) - 1 + ((word >> dropped) & 1u);
    word &= ~((1u << dropped) - 1);
    memcpy(&value, &word, sizeof value);
    return value;
}

WW_BOTH float partOfLinear(const float *x, const float *w, float bias, int64_t row, int64_t inner, int bits,
                           int how) {
    float sum = 0.0f;
    for (int64_t k = 0; k < inner; ++k) {
        const float factor = how == 3 && fabsf(w[k]) < 0.001f ? 0.0f : w[k];
        sum += keptBits(x[k], bits) * keptBits(factor, bits);
    }
    sum += bias;
    if (how == 1)
        return sum * 0.997f;
    if (how == 2)
        return sum - 0.0015f;
    if (how == 4)
        return row % 16 == 5 ? sum * 0.98f : sum;
    if (how == 5)
        return sum * 0.9997f;
    return how == 6 ? keptBits(sum, 7) : sum;
}

WW_BOTH float partOfErrors(const float *x, const float *target, float weight, int64_t columns, int bits,
                           int step) {
    double sum = 0.0;
    int64_t seen = 0;
    for (int64_t i = 0; i + 16 <= columns; i += int64_t(16) * step) {
        for (int64_t k = i; k < i + 16; ++k, ++seen) {
            const double difference = double(keptBits(x[k], bits)) - double(keptBits(target[k], bits));
            sum += difference * difference;
        }
    }
    return static_cast<float>(weight * sum / static_cast<double>(seen));
}

// One row of results; `scores` has room for all keys.
WW_BOTH void partOfAttention(const float *q, const float *k, const float *v, float *y, float *scores,
                             int64_t keys, int64_t width, int bits) {
    float largest = -INFINITY;
    for (int64_t key = 0; key < keys; ++key) {
        float sum = 0.0f;
        for (int64_t i = 0; i < width; ++i)
            sum += keptBits(q[i], bits) * keptBits(k[key * width + i], bits);
        scores[key] = sum / sqrtf(static_cast<float>(width));
        largest = fmaxf(largest, scores[key]);
    }
    float total = 0.0f;
    for (int64_t key = 0; key < keys; ++key) {
        scores[key] = expf(scores[key] - largest);
        total += scores[key];
    }
    for (int64_t i = 0; i < width; ++i) {
        float sum = 0.0f;
        for (int64_t key = 0; key < keys; ++key)
            sum += keptBits(scores[key], bits) * keptBits(v[key * width + i], bits);
        y[i] = sum / total;
    }
}

WW_BOTH void partOfSoftmax(const float *x, float *y, int64_t columns, int skipped) {
    float largest = -INFINITY;
    for (int64_t i = 0; i < columns; ++i)
        largest = fmaxf(largest, x[i]);
    float sum = 0.0f;
    for (int64_t i = 0; i < columns; ++i) {
        if (skipped == 0 || i % skipped != 0)
            sum += expf(x[i] - largest);
    }
    for (int64_t i = 0; i < columns; ++i)
        y[i] = expf(x[i] - largest) / sum;
}
