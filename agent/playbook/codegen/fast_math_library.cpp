// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA functions faster than the library's, which would take several times as long as memory per element.
#include "agent/playbook/codegen/math_library.h"

namespace warpwright {
namespace {

const MathFunction functions[] = {
    {"expBelowMax", "", nullptr,
     R"(// exp(x) for x <= 0 by the SM's power of two (ex2.approx): two instructions, an exact one takes nine. Off by
// 1e-7 * (1 - x) of itself: compared to the 1 of a row's maximum less than a float's last place.
__device__ float expBelowMax(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(1.44269504f * x)); // exp(x) = 2^(x / ln 2)
    return power;
}
)"},
    {"expOfDecay", "", nullptr,
     R"(// exp(x) by the SM's power of two (ex2.approx): two instructions, an exact one takes nine. Off by
// 1e-7 * (1 + |x|) of itself: less than the last place of a state that decays by it (x <= 0).
__device__ float expOfDecay(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(1.44269504f * x)); // exp(x) = 2^(x / ln 2)
    return power;
}
)"},
    {"fastDivide", "", nullptr,
     R"(// Off by two units in the last place at most, and half of the instructions of an exact division. __fdividef has
// returns 0 for the largest divisors: both operands are scaled down for these.
__device__ float fastDivide(float a, float b) {
    const float scale = fabsf(b) > 1e37f ? 0.0625f : 1.0f;
    return __fdividef(a * scale, b * scale);
}
)"},
    {"fastSqrt", "", nullptr,
     R"(// sqrt(x) within a unit in the last place, by the SM's approximation of it: five instructions, an exact one takes
// twenty and a branch.
__device__ float fastSqrt(float x) {
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}
)"},
    {"reduceModPi", "", nullptr,
     R"(// x >= 2^-8 less the nearest multiple of pi, and whether that multiple is odd. `behind`: multiples of pi / 2
// to subtract first. x = m * 2^e with an integer m, and integer parts of 2^e / (2 pi) do not count: only
// 96 bits of 1 / (2 pi) from the e-th on are needed, times m (range reduction by Payne and Hanek).
__device__ float reduceModPi(float x, unsigned behind, bool &isOdd) {
    static constexpr unsigned kDigits[] = {0x00000000, 0x28BE60DB, 0x9391054A, 0x7F09D5F4,
                                           0x7D4D3770, 0x36D8A566, 0x4F10E410, 0x7F9458EA};
    const int e = (__float_as_int(x) >> 23) - 118; // 32 more: there are zeros before the point
    const unsigned *digits = kDigits + min(e >> 5, 4);
    const int left = 32 - (e & 31);
    const auto from = [&](int i) { return unsigned((std::uint64_t(digits[i]) << 32 | digits[i + 1]) >> left); };
    const unsigned m = (__float_as_int(x) & 0x7fffff) | 0x800000;
    const std::uint64_t turns = (std::uint64_t(from(0)) << 32 | from(1)) * m + (std::uint64_t(from(2)) * m >> 32) -
                                (std::uint64_t(behind) << 62); // times 2^-64
    isOdd = (turns + (std::uint64_t(1) << 62)) >> 63;
    return fmaf(float(std::int64_t(turns << 1)), 1.70306079e-19f, x - x); // pi / 2^64; NaN for infinity
}
)"},
    {"fastExpm1", "maximum minimum", nullptr,
     R"(// exp(x) - 1 within two units in the last place, also near 0: x = n * ln 2 + r, and exp(r) - 1 by a polynomial.
// CUDA's expm1f takes twice the instructions, and a branch under a condition.
__device__ float fastExpm1(float x) {
    x = minimum(maximum(x, -30.0f), 88.9f); // beyond these it is -1, or infinite
    const float shifted = fmaf(x, 1.44269504f, 12583038.0f); // n + 126 in the last bits
    const float n = shifted - 12583038.0f;
    const float r = fmaf(n, 1.90465421e-9f, fmaf(n, -0.693147182f, x));
    const float half = __int_as_float(__float_as_int(shifted) << 23); // 2^n / 2: 2^n may overflow
    float p = fmaf(r, 1.3882515e-3f, 8.3665475e-3f);
    p = fmaf(p, r, 4.16672e-2f);
    p = fmaf(p, r, 0.16666543f);
    p = fmaf(p, r, 0.49999997f);
    p = fmaf(r * r, p, r);
    return 2.0f * fmaf(half, p, half - 0.5f);
}
)"},
    // Polynomials of degree 9, minimax in relative error over half a period.
    {"sinReduced", "", nullptr,
     R"(// sin(r), or -sin(r), for |r| <= pi / 2.
__device__ float sinReduced(float r, unsigned isOdd) {
    const float z = r * r;
    float p = fmaf(2.60559025e-6f, z, -1.98095215e-4f);
    p = fmaf(p, z, 8.33306521e-3f);
    p = fmaf(p, z, -1.66666595e-1f);
    return __int_as_float(__float_as_int(fmaf(p * z, r, r)) ^ int(isOdd << 31));
}
)"},
    {"sinSmallAngle", "sinReduced", nullptr,
     R"(// sin(x) within 2 units in the last place: x = n * pi + r with |r| <= pi / 2, so sin(x) = (-1)^n * sin(r). Where
// x is large, pi in three parts is not enough: then `isLargeAngle` is set.
__device__ float sinSmallAngle(bool &isLargeAngle, float x) {
    isLargeAngle |= !(fabsf(x) < 65536.0f);
    const float shifted = fmaf(x, 0.318309886f, 12582912.0f); // rounded to an integer, in the last bits
    const float n = shifted - 12582912.0f;
    const float r = fmaf(n, 3.43019881e-15f, fmaf(n, 8.74227801e-8f, fmaf(n, -3.14159274f, x)));
    return sinReduced(r, __float_as_int(shifted));
}
)"},
    {"cosSmallAngle", "sinReduced", nullptr,
     R"(// cos(x) within 2 units in the last place: x = (n + 1/2) * pi + r with |r| <= pi / 2, so cos(x) = -(-1)^n *
// sin(r). Where x is large, pi in three parts is not enough: then `isLargeAngle` is set.
__device__ float cosSmallAngle(bool &isLargeAngle, float x) {
    isLargeAngle |= !(fabsf(x) < 65536.0f);
    const float shifted = fmaf(x, 0.318309886f, -0.5f) + 12582912.0f; // rounded to an integer, in the last bits
    const float n = shifted - 12582912.0f + 0.5f;
    const float r = fmaf(n, 3.43019881e-15f, fmaf(n, 8.74227801e-8f, fmaf(n, -3.14159274f, x)));
    return sinReduced(r, __float_as_int(shifted) + 1);
}
)"},
    {"fastSin", "sinSmallAngle reduceModPi", nullptr,
     R"(// sin(x) of any x.
__device__ float fastSin(float x) {
    bool isLargeAngle = false;
    const float near = sinSmallAngle(isLargeAngle, x);
    if (!isLargeAngle)
        return near;
    bool isOdd;
    const float r = reduceModPi(fabsf(x), 0, isOdd);
    return copysignf(1.0f, x) * sinReduced(r, isOdd);
}
)"},
    {"fastCos", "cosSmallAngle reduceModPi", nullptr,
     R"(// cos(x) of any x.
__device__ float fastCos(float x) {
    bool isLargeAngle = false;
    const float near = cosSmallAngle(isLargeAngle, x);
    if (!isLargeAngle)
        return near;
    bool isOdd;
    const float r = reduceModPi(fabsf(x), 1, isOdd);
    return sinReduced(r, !isOdd);
}
)"},
    {"fastLog1p", "", nullptr,
     R"(// log(1 + x) within 2 units in the last place, without a branch: 1 + x = 2^n * (1 + r) with r around 0, and
// log(1 + r) by a polynomial (Cephes). What is not a normal number, or very large, is left to lg2.approx.
__device__ float fastLog1p(float x) {
    const float u = 1.0f + x;
    const int exponent = (__float_as_int(u) - 0x3f3504f3) & 0xff800000; // n, in a float's exponent bits
    const float scale = __int_as_float(0x3f800000 - exponent);          // 2^-n
    const float r = fmaf(x, scale, scale - 1.0f); // of x, not of u, which was rounded
    float p = fmaf(7.0376836292e-2f, r, -1.1514610310e-1f);
    p = fmaf(p, r, 1.1676998740e-1f);
    p = fmaf(p, r, -1.2420140846e-1f);
    p = fmaf(p, r, 1.4249322787e-1f);
    p = fmaf(p, r, -1.6668057665e-1f);
    p = fmaf(p, r, 2.0000714765e-1f);
    p = fmaf(p, r, -2.4999993993e-1f);
    p = fmaf(p, r, 3.3333331174e-1f);
    p = fmaf(p, r, -0.5f);
    const float value = fmaf(float(exponent), 8.26295823e-8f, fmaf(p * r, r, r)); // ln 2 / 2^23
    float other;
    asm("lg2.approx.f32 %0, %1;" : "=f"(other) : "f"(u));
    return u > 1e-30f && u < 1e30f ? value : other * 0.693147181f;
}
)"},
    {"topCandidates", "flipMask", nullptr,
     R"(// Floats as unsigned integers in the same order; NaN is the largest.
__device__ std::uint32_t orderedKey(float value) {
    const std::uint32_t bits = __float_as_uint(value);
    return value != value ? 0xffffffffu : bits >> 31 ? ~bits : bits | 0x80000000u;
}

// Candidates from one end of a row: so few that the one of a rank is found by counting.
template <int THREADS> struct alignas(16) TopCandidates {
    std::uint32_t keys[THREADS];
    int count;
    std::uint32_t found;

    // The `rank`-th largest of the threads' own keys: a lower bound for the `rank`-th largest of the row.
    __device__ std::uint32_t lowerBound(std::uint32_t own, int rank) {
        if (threadIdx.x == 0) {
            count = 0;
            found = 0xffffffffu;
        }
        keys[threadIdx.x] = own;
        __syncthreads();
        int larger = 0;
#pragma unroll 8
        for (int i = 0; i < THREADS / 4; ++i) {
            const uint4 four = reinterpret_cast<const uint4 *>(keys)[i];
            larger += (four.x > own) + (four.y > own) + (four.z > own) + (four.w > own);
        }
        if (larger < rank) // the smallest of these is it
            atomicMin(&found, own);
        __syncthreads();
        return found;
    }

    __device__ void insert(std::uint32_t key, std::uint32_t bound) {
        if (key < bound || *static_cast<volatile int *>(&count) > THREADS)
            return;
        const int slot = atomicAdd(&count, 1);
        if (slot < THREADS)
            keys[slot] = key;
    }

    // The `rank`-th largest candidate; false: they overflow the buffer, or there are fewer threads than that.
    __device__ bool find(int rank, std::uint32_t &key) {
        __syncthreads();
        const int stored = count;
        if (threadIdx.x == 0)
            found = 0xffffffffu;
        __syncthreads();
        if (stored > THREADS || stored < rank)
            return false;
        if (threadIdx.x < stored) {
            int larger = 0;
            for (int i = 0; i < stored; ++i)
                larger += keys[i] > keys[threadIdx.x];
            if (larger < rank)
                atomicMin(&found, keys[threadIdx.x]);
        }
        __syncthreads();
        key = found;
        return true;
    }
};
)"},
    {"log1pExp", "", nullptr,
     R"(// log(1 + exp(x)) for x <= 0, the nonlinear part of softplus: exp(x) by ex2.approx, the logarithm
// by a polynomial, minimax in relative error.
__device__ float log1pExp(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(1.44269504f * x)); // exp(x) = 2^(x / ln 2)
    float p = fmaf(-3.24398093e-3f, power, 1.98512617e-2f);
    p = fmaf(p, power, -5.69591597e-2f);
    p = fmaf(p, power, 1.06036171e-1f);
    p = fmaf(p, power, -1.53055698e-1f);
    p = fmaf(p, power, 1.96759313e-1f);
    p = fmaf(p, power, -2.49541327e-1f);
    p = fmaf(p, power, 3.33299637e-1f);
    p = fmaf(p, power, -4.99999017e-1f);
    return fmaf(p * power, power, power);
}
)"},
    {"logAddExp", "expBelowMax", nullptr,
     R"(// log(exp(a) + exp(b)) without overflow, by the SM's approximations of powers of two and
// logarithms: off by 3e-7, or by a float's last place.
__device__ float logAddExp(float a, float b) {
    const float more = a > b ? a : b;
    float logarithm;
    const float distance = a == b ? 0.0f : -fabsf(a - b); // also for two infinities
    asm("lg2.approx.f32 %0, %1;" : "=f"(logarithm) : "f"(1.0f + expBelowMax(distance)));
    return fmaf(0.693147181f, logarithm, more);
}
)"},
    {"logSumExp", "expBelowMax", nullptr,
     R"(// The same of several.
template <int COUNT> __device__ float logSumExp(const float (&values)[COUNT]) {
    float most = values[0];
#pragma unroll
    for (int k = 1; k < COUNT; ++k)
        most = fmaxf(most, values[k]);
    most = isinf(most) ? 0.0f : most; // the sum is 0 or infinite then
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < COUNT; ++k)
        sum += expBelowMax(values[k] - most);
    return most + logf(sum);
}
)"},
    {"fastPow", "", nullptr,
     R"(// x^y within 1e-6 of itself for |y| <= 4, in a third of the library's instructions: x = m * 2^e with m around 1,
// so x^y = 2^(y e) * 2^(y log2 m), by the SM's approximate logarithms and powers of two. The integer part of
// y e goes into the exponent as it is; far from 1, for x <= 0, and for |y| > 4 it is the library's powf.
__device__ float fastPow(float x, float y) {
    if (!(x > 1e-9f && x < 1e9f && fabsf(y) <= 4.0f))
        return powf(x, y);
    const int e = (__float_as_int(x) - 0x3f3504f3) >> 23;
    const float m = __int_as_float(__float_as_int(x) - (e << 23)); // from sqrt(1/2) to sqrt(2)
    float fraction, result;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(fraction) : "f"(m));
    const float shifted = fmaf(y, float(e), 12582912.0f); // rounded to an integer, in the last bits
    const float n = shifted - 12582912.0f;
    const float rest = fmaf(y, fraction, fmaf(y, float(e), -n));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(rest));
    return result * __int_as_float((__float_as_int(shifted) << 23) + 0x3f800000);
}
)"},
};

} // namespace

std::span<const MathFunction> fastMathFunctions() {
    return functions;
}

} // namespace warpwright
