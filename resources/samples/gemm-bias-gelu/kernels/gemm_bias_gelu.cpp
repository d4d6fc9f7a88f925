// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of gemm_bias_gelu.cu: the same contract, without the stream. All in float: no TF32 here.
//
// OpenBLAS multiplies, and it has no epilogue. So the product is computed in tiles that fit the
// L2 cache, and bias and GELU are applied to a tile while it is still there.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if __has_include(<cblas.h>)
#include <cblas.h>
#endif

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

// gelu(v) = v / 2 * (1 + tanh(u)) with u = sqrt(2/pi) * (v + 0.044715 * v^3), and (1 + tanh(u)) / 2 is
// 1 / (1 + exp(-2u)). In this form nothing cancels where tanh comes close to -1.
inline float gelu(float v) {
    constexpr float kTwiceRootTwoOverPi = 1.59576912f;
    const float u2 = kTwiceRootTwoOverPi * (v + 0.044715f * v * v * v);
    return v / (1.0f + exponential(-u2));
}

// tile [rows, columns], a part of a matrix with `stride` columns, = x [rows, inner] * weight^T.
void multiply(const float *x, const float *weight, float *tile, int rows, int inner, int columns,
              int stride) {
#if __has_include(<cblas.h>)
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, inner, 1.0f, x, inner, weight, inner,
                0.0f, tile, stride);
#else
    // Right, but many times slower: install the headers of OpenBLAS.
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k < inner; ++k)
                sum += x[std::size_t(row) * inner + k] * weight[std::size_t(column) * inner + k];
            tile[std::size_t(row) * stride + column] = sum;
        }
#endif
}

} // namespace

extern "C" int launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                  int inner, int columns, int) {
#ifdef OPENBLAS_VERSION
    // The threads are ours, one tile each. OpenBLAS has a pool of its own whose threads go on spinning
    // for a while after a product: with both at work on the same cores this takes twice as long.
    openblas_set_num_threads(1);
#endif
    constexpr int kTileRows = 256;
    constexpr int kTileColumns = 512; // 512 KB.
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int row = 0; row < rows; row += kTileRows)
        for (int column = 0; column < columns; column += kTileColumns) {
            const int height = std::min(kTileRows, rows - row);
            const int width = std::min(kTileColumns, columns - column);
            float *tile = y + std::size_t(row) * columns + column;
            multiply(x + std::size_t(row) * inner, weight + std::size_t(column) * inner, tile, height, inner,
                     width, columns);
            for (int r = 0; r < height; ++r) {
                float *out = tile + std::size_t(r) * columns;
#pragma omp simd
                for (int c = 0; c < width; ++c)
                    out[c] = gelu(out[c] + bias[column + c]);
            }
        }
    return 0;
}
