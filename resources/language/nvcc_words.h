// SPDX-License-Identifier: GPL-3.0-or-later
// What nvcc brings and clang's own CUDA headers do not, as declarations: clangd reads this before each CUDA file, and
// nothing is ever compiled with it.
#pragma once

#if defined(__clang__) && defined(__CUDA__)

// cooperative_groups shows clusters to nvcc, and to others that say they have its intrinsics; clang has them.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE

// Loads and stores with a cache operator (sm_32_intrinsics.h).
#define WARPWRIGHT_CACHE_WORDS(T)                 \
    __device__ T __ldca(const T *address);        \
    __device__ T __ldlu(const T *address);        \
    __device__ void __stwb(T *address, T value);  \
    __device__ void __stcg(T *address, T value);  \
    __device__ void __stcs(T *address, T value);  \
    __device__ void __stwt(T *address, T value);
WARPWRIGHT_CACHE_WORDS(char)
WARPWRIGHT_CACHE_WORDS(signed char)
WARPWRIGHT_CACHE_WORDS(short)
WARPWRIGHT_CACHE_WORDS(int)
WARPWRIGHT_CACHE_WORDS(long)
WARPWRIGHT_CACHE_WORDS(long long)
WARPWRIGHT_CACHE_WORDS(unsigned char)
WARPWRIGHT_CACHE_WORDS(unsigned short)
WARPWRIGHT_CACHE_WORDS(unsigned int)
WARPWRIGHT_CACHE_WORDS(unsigned long)
WARPWRIGHT_CACHE_WORDS(unsigned long long)
WARPWRIGHT_CACHE_WORDS(float)
WARPWRIGHT_CACHE_WORDS(double)
WARPWRIGHT_CACHE_WORDS(char2)
WARPWRIGHT_CACHE_WORDS(char4)
WARPWRIGHT_CACHE_WORDS(short2)
WARPWRIGHT_CACHE_WORDS(short4)
WARPWRIGHT_CACHE_WORDS(int2)
WARPWRIGHT_CACHE_WORDS(int4)
WARPWRIGHT_CACHE_WORDS(longlong2)
WARPWRIGHT_CACHE_WORDS(uchar2)
WARPWRIGHT_CACHE_WORDS(uchar4)
WARPWRIGHT_CACHE_WORDS(ushort2)
WARPWRIGHT_CACHE_WORDS(ushort4)
WARPWRIGHT_CACHE_WORDS(uint2)
WARPWRIGHT_CACHE_WORDS(uint4)
WARPWRIGHT_CACHE_WORDS(ulonglong2)
WARPWRIGHT_CACHE_WORDS(float2)
WARPWRIGHT_CACHE_WORDS(float4)
WARPWRIGHT_CACHE_WORDS(double2)
#undef WARPWRIGHT_CACHE_WORDS

__device__ float __tanhf(float x);

#endif
