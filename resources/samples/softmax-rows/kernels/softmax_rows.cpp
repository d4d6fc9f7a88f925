// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of softmax_rows.cu: the same contract, without the stream.
//
// Here the L1 cache plays the part of the registers: a row is read from memory once, worked on
// in three short loops while it is in the cache, and written once. A call to std::exp per element would
// cost more than all the rest, so the exponential is written out as plain arithmetic: vector code.
#include <cstdint>
#include <cstring>
#include <limits>

namespace {

float bitsAsFloat(std::int32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// exp(x) within about 1 ulp: x = n * ln 2 + r with |r| <= ln(2)/2, so exp(x) = 2^n * exp(r).
// Exact limits: +inf, 0 for -inf, gradual underflow, NaN stays NaN.
inline float exponential(float x) {
    // The comparisons are false for NaN and so let it pass. Beyond them the result is inf or 0 anyway.
    x = x > 89.0f ? 89.0f : x;
    x = x < -104.0f ? -104.0f : x;
    // Adding 1.5 * 2^23 leaves no bits for a fraction: the sum is rounded, and n stands in its low bits.
    constexpr float kRound = 12582912.0f;
    const float shifted = x * 1.44269504f + kRound;
    const float n = shifted - kRound;
    // ln 2 in two parts. The first has few bits, so n * first is exact.
    float r = x - n * 0.693359375f;
    r = r + n * 2.12194440e-4f;
    // exp(r) = 1 + r + r^2 * q(r): q fitted for the smallest relative error (4e-9) on the interval.
    float q = 1.375071883e-3f;
    q = q * r + 8.369105989e-3f;
    q = q * r + 4.166956304e-2f;
    q = q * r + 1.666651688e-1f;
    q = q * r + 4.999998841e-1f;
    const float p = q * (r * r) + r + 1.0f;
    // 2^n in two halves: 2^-149 and 2^128 are not floats with an exponent field of their own.
    std::int32_t exponent;
    std::memcpy(&exponent, &shifted, sizeof exponent);
    exponent -= 0x4B400000;
    const std::int32_t half = exponent >> 1;
    return p * bitsAsFloat((half + 127) << 23) * bitsAsFloat((exponent - half + 127) << 23);
}

} // namespace

extern "C" void launchSoftmaxRows(const float *x, const float *bias, float *y, float scale, int rows,
                                  int columns, int) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
        const float *in = x + std::int64_t(row) * columns;
        float *out = y + std::int64_t(row) * columns;

        // A NaN is not the largest of anything, but its exponential is NaN, and so is the sum then.
        float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
        for (int c = 0; c < columns; ++c) {
            out[c] = in[c] * scale + bias[c];
            largest = out[c] > largest ? out[c] : largest;
        }

        // "reduction" allows a partial sum per vector lane: faster, and more exact than one long chain.
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int c = 0; c < columns; ++c) {
            out[c] = exponential(out[c] - largest);
            sum += out[c];
        }

        const float factor = 1.0f / sum;
#pragma omp simd
        for (int c = 0; c < columns; ++c)
            out[c] *= factor;
    }
}
