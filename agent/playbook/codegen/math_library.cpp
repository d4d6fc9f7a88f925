// SPDX-License-Identifier: GPL-3.0-or-later
// Helper functions that emitted kernels define: text that people read, kept as in the samples.
#include "agent/playbook/codegen/math_library.h"
#include "agent/playbook/codegen/expression_printer.h"

#include <algorithm>
#include <vector>

namespace warpwright {
namespace {

// Each after those that it calls.
const MathFunction functions[] = {
    {"bits", "", R"(inline float bitsAsFloat(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint32_t floatAsBits(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
)",
     nullptr},
    {"flipMask", "bits",
     R"(// Which bits to flip so that floats compare like unsigned integers: of a negative one all
// of them, of others the sign. `key`: the flipped bits of the float to compare with.
inline std::uint32_t flipMaskOf(std::uint32_t key) {
    return key >> 31 ? 0x80000000u : 0xffffffffu;
}

// NaN is larger than any number, whatever its sign.
inline bool isAtLeast(float value, std::uint32_t candidate, std::uint32_t flipMask) {
    return ((floatAsBits(value) ^ flipMask) >= candidate) | (value != value);
}
)",
     R"(// Which bits to flip so that floats compare like unsigned integers: of a negative one all
// of them, of others the sign. `key`: the flipped bits of the float to compare with.
__device__ std::uint32_t flipMaskOf(std::uint32_t key) {
    return key >> 31 ? 0x80000000u : 0xffffffffu;
}

// NaN is larger than any number, whatever its sign.
__device__ bool isAtLeast(float value, std::uint32_t candidate, std::uint32_t flipMask) {
    return ((__float_as_uint(value) ^ flipMask) >= candidate) | (value != value);
}
)"},
    {"type-bfloat16", "", R"(struct BFloat16 {
    std::uint16_t bits; // the upper half of a float
};
)",
     nullptr},
    {"type-float16", "", R"(struct Half {
    std::uint16_t bits; // sign, 5 bits of exponent, 10 of fraction
};
)",
     nullptr},
    {"toFloat-bfloat16", "bits type-bfloat16", R"(inline float toFloat(BFloat16 x) {
    return bitsAsFloat(std::uint32_t(x.bits) << 16);
}
)",
     nullptr},
    {"from-bfloat16", "bits type-bfloat16",
     R"(// Round to nearest, ties to even. NaN keeps a bit, else rounding would make it infinite.
inline BFloat16 toBFloat16(float x) {
    const std::uint32_t bits = floatAsBits(x);
    const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return {std::uint16_t(x != x ? 0x7fc0u : rounded)};
}
)",
     nullptr},
    {"toFloat-float16", "bits type-float16",
     R"(// The bits are moved to where a float has them; a multiplication corrects the exponent's bias and makes
// subnormals normal. Infinity and NaN get their exponent back.
inline float toFloat(Half x) {
    const std::uint32_t magnitude = std::uint32_t(x.bits & 0x7fff) << 13;
    const float value = bitsAsFloat(magnitude) * 5.192296858534828e+33f; // 2^112
    const std::uint32_t special = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
    return bitsAsFloat(floatAsBits(value) | special | (std::uint32_t(x.bits & 0x8000) << 16));
}
)",
     nullptr},
    {"from-float16", "bits type-float16",
     R"(// Round to nearest, ties to even. Below 2^-14 adding 0.5 leaves just the bits that a half has.
inline Half toHalf(float x) {
    const std::uint32_t bits = floatAsBits(x);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const std::uint32_t small = floatAsBits(bitsAsFloat(magnitude) + 0.5f) - 0x3f000000u;
    const std::uint32_t usual = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    std::uint32_t half = magnitude < 0x38800000u ? small : usual;
    half = magnitude >= 0x477ff000u ? 0x7c00u : half; // beyond 65504: infinite
    half = magnitude > 0x7f800000u ? 0x7e00u : half;  // NaN
    return {std::uint16_t(half | ((bits >> 16) & 0x8000u))};
}
)",
     nullptr},
    {"fastExp", "bits",
     R"(// exp(x) within about 1 ulp: x = n * ln 2 + r with |r| <= ln(2)/2, so exp(x) = 2^n * exp(r).
// Exact limits: +inf, 0 for -inf, gradual underflow, NaN stays NaN.
inline float fastExp(float x) {
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
)",
     nullptr},
    {"fastExpm1", "fastExp",
     R"(// exp(x) - 1. Near 0 the difference would lose its digits, so there it is summed from x on.
inline float fastExpm1(float x) {
    float q = 2.48015873e-5f; // 1/8!, 1/7!, ... 1/2!
    q = q * x + 1.98412698e-4f;
    q = q * x + 1.38888889e-3f;
    q = q * x + 8.33333333e-3f;
    q = q * x + 4.16666667e-2f;
    q = q * x + 1.66666667e-1f;
    q = q * x + 0.5f;
    const float near = x + x * x * q;
    const float far = fastExp(x) - 1.0f;
    return x > -0.4f && x < 0.4f ? near : far;
}
)",
     nullptr},
    {"fastLog", "bits",
     R"(// log(x) within 1 ulp: x = m * 2^n with m around 1, and log(m) by a polynomial in m - 1 (Cephes).
// -inf for 0, NaN for negative x, inf and NaN for themselves.
inline float fastLog(float x) {
    const bool isTiny = x < 1.17549435e-38f;
    const std::uint32_t bits = floatAsBits(isTiny ? x * 8388608.0f : x); // 2^23
    const std::int32_t exponent = std::int32_t(bits - 0x3f3504f3u) >> 23;
    const float r = bitsAsFloat(bits - (std::uint32_t(exponent) << 23)) - 1.0f;
    const float n = float(exponent) - (isTiny ? 23.0f : 0.0f);
    float p = 7.0376836292e-2f;
    p = p * r - 1.1514610310e-1f;
    p = p * r + 1.1676998740e-1f;
    p = p * r - 1.2420140846e-1f;
    p = p * r + 1.4249322787e-1f;
    p = p * r - 1.6668057665e-1f;
    p = p * r + 2.0000714765e-1f;
    p = p * r - 2.4999993993e-1f;
    p = p * r + 3.3333331174e-1f;
    // ln 2 in two parts. The first has few bits, so n * first is exact.
    const float z = r * r;
    const float value = r + (p * r * z - n * 2.12194440e-4f - 0.5f * z) + n * 0.693359375f;
    const float odd = x == 0.0f ? -INFINITY : x > 0.0f ? x : NAN;
    return x > 0.0f && x < INFINITY ? value : odd;
}
)",
     nullptr},
    {"fastLog1p", "fastLog", R"(// log(1 + x): a factor corrects the rounding of 1 + x.
inline float fastLog1p(float x) {
    const float u = 1.0f + x;
    const float value = fastLog(u) * (x / (u - 1.0f));
    return u == 1.0f || u == INFINITY ? x : value;
}
)",
     nullptr},
    {"fastTanh", "",
     R"(// tanh(x) within 4e-7 of itself, as a quotient of polynomials; beyond 7.9 it is 1 in float.
inline float fastTanh(float x) {
    x = x > 7.90531111f ? 7.90531111f : x;
    x = x < -7.90531111f ? -7.90531111f : x;
    const float z = x * x;
    float p = -2.76076847742355e-16f;
    p = p * z + 2.00018790482477e-13f;
    p = p * z - 8.60467152213735e-11f;
    p = p * z + 5.12229709037114e-8f;
    p = p * z + 1.48572235717979e-5f;
    p = p * z + 6.37261928875436e-4f;
    p = p * z + 4.89352455891786e-3f;
    float q = 1.19825839466702e-6f;
    q = q * z + 1.18534705686654e-4f;
    q = q * z + 2.26843463243900e-3f;
    q = q * z + 4.89352518554385e-3f;
    return x * p / q;
}
)",
     R"(// tanh(x) within 2 units in the last place, in half of the library's instructions and without a branch: an odd
// polynomial around 0, and 1 - 2 / (exp(2x) + 1) by the SM's approximations of powers of two and reciprocals.
__device__ float fastTanh(float x) {
    const float z = x * x;
    float p = fmaf(-5.89513e-3f, z, 2.079595e-2f);
    p = fmaf(p, z, -5.378382e-2f);
    p = fmaf(p, z, 1.3331924e-1f);
    p = fmaf(p, z, -3.3333298e-1f);
    const float near = fmaf(p * z, x, x);
    float power, result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(2.88539008f * fabsf(x))); // exp(2x) = 2^(2x / ln 2)
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    const float far = copysignf(fmaf(-2.0f, result, 1.0f), x);
    return fabsf(x) < 0.6f ? near : far;
}
)"},
    {"fastErf", "",
     R"(// erf(x) within 5e-7 of itself, as a quotient of polynomials; beyond 4 it is 1 in float.
inline float fastErf(float x) {
    x = x > 4.0f ? 4.0f : x;
    x = x < -4.0f ? -4.0f : x;
    const float z = x * x;
    float p = -2.72614225801306e-10f;
    p = p * z + 2.77068142495902e-8f;
    p = p * z - 2.10102402082508e-6f;
    p = p * z - 5.69250639462346e-5f;
    p = p * z - 7.34990630326855e-4f;
    p = p * z - 2.95459980854025e-3f;
    p = p * z - 1.60960333262415e-2f;
    float q = -1.45660718464996e-5f;
    q = q * z - 2.13374055278905e-4f;
    q = q * z - 1.68282697438203e-3f;
    q = q * z - 7.37332916720468e-3f;
    q = q * z - 1.42647390514189e-2f;
    const float value = x * p / q; // up to three ulps beyond 1, and 1 - erf(x) would change its sign
    const float less = value > 1.0f ? 1.0f : value;
    return less < -1.0f ? -1.0f : less;
}
)",
     R"(// erf(x) within 6e-7 of itself, in half of the library's instructions and without a branch, as a quotient of
// polynomials; beyond 4 it is 1 in float.
__device__ float fastErf(float x) {
    x = x > 4.0f ? 4.0f : x;
    x = x < -4.0f ? -4.0f : x;
    const float z = x * x;
    float p = fmaf(-2.72614225801306e-10f, z, 2.77068142495902e-8f);
    p = fmaf(p, z, -2.10102402082508e-6f);
    p = fmaf(p, z, -5.69250639462346e-5f);
    p = fmaf(p, z, -7.34990630326855e-4f);
    p = fmaf(p, z, -2.95459980854025e-3f);
    p = fmaf(p, z, -1.60960333262415e-2f);
    float q = fmaf(-1.45660718464996e-5f, z, -2.13374055278905e-4f);
    q = fmaf(q, z, -1.68282697438203e-3f);
    q = fmaf(q, z, -7.37332916720468e-3f);
    q = fmaf(q, z, -1.42647390514189e-2f);
    const float value = __fdividef(x * p, q); // up to five ulps beyond 1, and 1 - erf(x) would change its sign
    return fabsf(value) > 1.0f ? copysignf(1.0f, value) : value;
}
)"},
    {"inverseErf", "",
     R"(// The y with erf(y) = x: a polynomial in log(1 - x^2) (Giles), then two Newton steps.
inline double inverseErf(double x) {
    constexpr double kNear[] = {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                -0.00125372503, -0.00417768164, 0.246640727, 1.50140941};
    constexpr double kFar[] = {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                               -0.0076224613, 0.00943887047, 1.00167406, 2.83297682};
    if (!(x > -1.0 && x < 1.0))
        return x == 1.0 ? INFINITY : x == -1.0 ? -INFINITY : NAN;
    double w = -std::log((1.0 - x) * (1.0 + x));
    double p;
    if (w < 5.0) {
        w -= 2.5;
        p = 2.81022636e-08;
        for (const double next : kNear)
            p = p * w + next;
    } else {
        w = std::sqrt(w) - 3.0;
        p = -0.000200214257;
        for (const double next : kFar)
            p = p * w + next;
    }
    double y = p * x;
    for (int step = 0; step < 2; ++step)
        y -= (std::erf(y) - x) / (1.1283791670955126 * std::exp(-y * y)); // erf' = 2 / sqrt(pi) * exp(-y^2)
    return y;
}
)",
     nullptr},
    {"digamma", "",
     R"(// The derivative of log(gamma(x)): reflected to the right of 0, moved beyond 10, and there its asymptotic series.
template <typename T> inline T digamma(T x) {
    constexpr T kPi = T(3.14159265358979323846);
    if (x == T(0))
        return std::copysign(T(INFINITY), -x);
    T value = 0;
    if (x < T(0)) {
        if (x == std::floor(x))
            return T(NAN);
        value = -kPi / std::tan(kPi * (x - std::floor(x)));
        x = T(1) - x;
    }
    for (; x < T(10); x += T(1))
        value -= T(1) / x;
    const T z = T(1) / (x * x);
    const T series = z * (T(1) / 12 - z * (T(1) / 120 - z * (T(1) / 252 - z * (T(1) / 240 - z / 132))));
    return value + std::log(x) - T(0.5) / x - series;
}
)",
     R"(// The derivative of log(gamma(x)): reflected to the right of 0, moved beyond 10, and there its asymptotic series.
template <typename T> __device__ T digamma(T x) {
    constexpr T kPi = T(3.14159265358979323846);
    if (x == T(0))
        return copysign(T(INFINITY), -x);
    T value = 0;
    if (x < T(0)) {
        if (x == floor(x))
            return T(NAN);
        value = -kPi / tan(kPi * (x - floor(x)));
        x = T(1) - x;
    }
    for (; x < T(10); x += T(1))
        value -= T(1) / x;
    const T z = T(1) / (x * x);
    const T series = z * (T(1) / 12 - z * (T(1) / 120 - z * (T(1) / 252 - z * (T(1) / 240 - z / 132))));
    return value + log(x) - T(0.5) / x - series;
}
)"},
    {"sigmoid", "", R"(inline float sigmoid(float x) {
    return 1.0f / (1.0f + EXP(-x));
}
)",
     R"(// By the SM's approximations of powers of two and reciprocals, each within two units in the last place: five
// instructions. Exact ones take twenty, more than memory takes per element.
__device__ float sigmoid(float x) {
    float power, result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-1.44269504f * x)); // exp(-x) = 2^(-x / ln 2)
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    return result;
}
)"},
    {"sigmoidDouble", "", R"(inline double sigmoidDouble(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}
)",
     R"(__device__ double sigmoidDouble(double x) {
    return 1.0 / (1.0 + exp(-x));
}
)"},
    {"maximum", "", R"(// As torch.maximum: NaN if either is.
template <typename T> inline T maximum(T a, T b) {
    return a > b || a != a ? a : b;
}
)",
     R"(// As torch.maximum: NaN if either is. For floats one instruction from compute capability 8.0 on.
template <typename T> __device__ T maximum(T a, T b) {
    return a > b || a != a ? a : b;
}
template <> [[maybe_unused]] __device__ float maximum(float a, float b) {
#if __CUDA_ARCH__ >= 800
    float result;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
#else
    return a > b || a != a ? a : b;
#endif
}
)"},
    {"minimum", "", R"(// As torch.minimum: NaN if either is.
template <typename T> inline T minimum(T a, T b) {
    return a < b || a != a ? a : b;
}
)",
     R"(// As torch.minimum: NaN if either is. For floats one instruction from compute capability 8.0 on.
template <typename T> __device__ T minimum(T a, T b) {
    return a < b || a != a ? a : b;
}
template <> [[maybe_unused]] __device__ float minimum(float a, float b) {
#if __CUDA_ARCH__ >= 800
    float result;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
#else
    return a < b || a != a ? a : b;
#endif
}
)"},
    {"floorMod", "", R"(// With the sign of b, as in Python.
inline float floorMod(float a, float b) {
    const float r = std::fmod(a, b);
    return r != 0.0f && (r < 0.0f) != (b < 0.0f) ? r + b : r;
}
)",
     R"(// With the sign of b, as in Python.
__device__ float floorMod(float a, float b) {
    const float r = fmodf(a, b);
    return r != 0.0f && (r < 0.0f) != (b < 0.0f) ? r + b : r;
}
)"},
    {"floorModInt", "", R"(// With the sign of b, as in Python.
inline std::int64_t floorModInt(std::int64_t a, std::int64_t b) {
    const std::int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
)",
     R"(// With the sign of b, as in Python.
__device__ std::int64_t floorModInt(std::int64_t a, std::int64_t b) {
    const std::int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
)"},
    {"logAddExp", "", R"(// log(exp(a) + exp(b)) without overflow.
inline float logAddExp(float a, float b) {
    const float more = a > b ? a : b;
    const float less = a > b ? b : a;
    return std::isinf(more) && less == less ? more : more + std::log1p(std::exp(less - more));
}
)",
     nullptr},
    {"logAddExpDouble", "", R"(// log(exp(a) + exp(b)) without overflow.
inline double logAddExpDouble(double a, double b) {
    const double more = a > b ? a : b;
    const double less = a > b ? b : a;
    return std::isinf(more) && less == less ? more : more + std::log1p(std::exp(less - more));
}
)",
     R"(// log(exp(a) + exp(b)) without overflow.
__device__ double logAddExpDouble(double a, double b) {
    const double more = a > b ? a : b;
    const double less = a > b ? b : a;
    return isinf(more) && less == less ? more : more + log1p(exp(less - more));
}
)"},
};

} // namespace

QString helperFunctions(const std::set<QString> &names, CodeDialect dialect) {
    std::set<QString> needed = names;
    const bool isCuda = dialect == CodeDialect::Cuda;
    if (dialect == CodeDialect::VectorCpu && needed.contains(QStringLiteral("sigmoid")))
        needed.insert(QStringLiteral("fastExp"));
    std::vector<MathFunction> all(std::begin(functions), std::end(functions));
    if (isCuda)
        all.insert(all.end(), fastMathFunctions().begin(), fastMathFunctions().end());
    const auto bodyOf = [isCuda](const MathFunction &function) {
        return isCuda ? function.cuda : function.cpu;
    };
    for (auto function = all.rbegin(); function != all.rend(); ++function)
        if (bodyOf(*function) != nullptr && needed.contains(QLatin1String(function->name)))
            for (const QString &other :
                 QString::fromLatin1(function->needs).split(QLatin1Char(' '), Qt::SkipEmptyParts))
                needed.insert(other);
    QString text;
    for (const MathFunction &function : all) {
        const char *body = bodyOf(function);
        if (body == nullptr || !needed.contains(QLatin1String(function.name)))
            continue;
        QString some = QString::fromUtf8(body);
        some.replace(QLatin1String("EXP("), dialect == CodeDialect::VectorCpu ? QStringLiteral("fastExp(")
                                                                              : QStringLiteral("std::exp("));
        text += some + QLatin1Char('\n');
    }
    return text;
}

} // namespace warpwright
