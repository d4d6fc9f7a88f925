// The CPU twin of fused_pointwise.cu: the same contract, without the stream.
//
//   h1 = shift + scaleValues * x
//   h2 = exp(h1 > 20.0 ? 20.0 : h1)
//   h3 = h2 * (h2 + 2.0)
//   y = h1 * (h3 / (h3 + 2.0))
//
// Every element is read once and written once; what is computed between never reaches the memory.
// A call of a mathematical function for each element would cost more than all the rest, so they are written
// out as plain arithmetic: vector code.
#include <cmath>
#include <cstdint>
#include <cstring>

// By the letter a square root tells of negative numbers in errno. Nobody reads it here, and without
// it the loop can be vector code.
#pragma GCC optimize("no-math-errno")

namespace {

constexpr std::int64_t kRows = 3840;
constexpr std::int64_t kColumns = 2048;

inline float bitsAsFloat(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint32_t floatAsBits(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
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
    const std::int32_t exponent = std::int32_t(floatAsBits(shifted)) - 0x4B400000;
    const std::int32_t half = exponent >> 1;
    return p * bitsAsFloat(std::uint32_t(half + 127) << 23) * bitsAsFloat(std::uint32_t(exponent - half + 127) << 23);
}

} // namespace

extern "C" void launchFusedPointwise(const float *x, const float *scaleValues, const float *shift, float *y,
                                     int) {
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < kRows; ++row) {
        const float *const xRow = x + row * 2048;
        float *const yRow = y + row * 2048;
#pragma omp simd
        for (std::int64_t c = 0; c < kColumns; ++c) {
            const float h1 = shift[c] + scaleValues[c] * xRow[c];
            const float h2 = exponential(h1 > 20.0f ? 20.0f : h1);
            const float h3 = h2 * (h2 + 2.0f);
            yRow[c] = h1 * (h3 / (h3 + 2.0f));
        }
    }
}
