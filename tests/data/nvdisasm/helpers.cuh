#pragma once
template <int kWidth>
__device__ __forceinline__ float warpSum(float value) {
#pragma unroll
    for (int offset = kWidth / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}
