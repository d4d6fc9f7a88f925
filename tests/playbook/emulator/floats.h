// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's short floats, as far as the playbook's kernels use them.
#pragma once

#include <bit>
#include <cstdint>

struct __half {
    _Float16 value;
};
inline float __half2float(__half x) {
    return static_cast<float>(x.value);
}
inline __half __float2half_rn(float x) {
    return {static_cast<_Float16>(x)};
}

struct __half2 {
    __half x, y;
};
inline __half2 __floats2half2_rn(float x, float y) {
    return {__float2half_rn(x), __float2half_rn(y)};
}

struct __nv_bfloat16 {
    std::uint16_t bits;
};
inline float __bfloat162float(__nv_bfloat16 x) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}
inline __nv_bfloat16 __float2bfloat16_rn(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return {static_cast<std::uint16_t>(bits >> 16 | 0x40u)};
    return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16)};
}

struct __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return {__float2bfloat16_rn(x), __float2bfloat16_rn(y)};
}
inline int __float_as_int(float x) {
    return std::bit_cast<int>(x);
}
inline float __int_as_float(int x) {
    return std::bit_cast<float>(x);
}
inline long long __double_as_longlong(double x) {
    return std::bit_cast<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return std::bit_cast<double>(x);
}
inline unsigned __float_as_uint(float x) {
    return std::bit_cast<std::uint32_t>(x);
}
inline float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}
