// SPDX-License-Identifier: GPL-3.0-or-later
// index[row] = the first column that holds the largest element of the row (argmax).
//
// The obvious way drags (value, index) pairs through the whole reduction: for each element a comparison,
// two selections, and rules for ties and NaN. But the index is only needed once, for the winner:
//   1. find the largest value. That is one instruction an element, and no index takes part;
//   2. then ask who holds it. The row is still in registers, and most threads see at once that their
//      own maximum is smaller and have nothing to look for.
// So a row is read once, in 16-byte loads that are all under way before the first comparison, and what
// remains is the speed of memory.
#include <cuda_runtime.h>

#include <climits>
#include <cmath>

namespace {

constexpr int kMaxColumns = 8192;

// fmaxf passes over a NaN. PyTorch counts it as larger than any number, and so does this instruction
// (sm_80 and later): NaN if either operand is NaN. Hence one NaN anywhere makes the row's maximum NaN.
__device__ float largerOrNan(float a, float b) {
    float result;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
}

// Does v hold the maximum? -0 == +0 is true, so a tie of zeros goes to the first one, as it should.
// Numbers and NaN cannot both match: if the maximum is a number, there is no NaN in the row.
__device__ bool holds(float v, float largest) {
    return v == largest || v != v;
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    argReduction(const float4 *__restrict__ x, long long *__restrict__ index, int vectors) {
    // Known when compiled: an array that is indexed by unrolled loops only is kept in registers.
    constexpr int kVectors = kMaxColumns / 4 / THREADS;
    __shared__ float maxima[THREADS / 32];
    __shared__ int winner;
    if (threadIdx.x == 0)
        winner = INT_MAX;

    const float4 *in = x + size_t(blockIdx.x) * vectors;
    float4 v[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        const int column = i * THREADS + threadIdx.x;
        // Beyond the end of a short row -inf stands for "nothing": its columns come last in any tie.
        v[i] =
            column < vectors ? __ldcs(&in[column]) : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    }

    float mine = -INFINITY;
#pragma unroll
    for (int i = 0; i < kVectors; ++i)
        mine = largerOrNan(mine, largerOrNan(largerOrNan(v[i].x, v[i].y), largerOrNan(v[i].z, v[i].w)));

    float largest = mine;
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        largest = largerOrNan(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
    if (threadIdx.x % 32 == 0)
        maxima[threadIdx.x / 32] = largest;
    __syncthreads(); // Also: the winner is set to "none" before anyone competes.
#pragma unroll
    for (int warp = 0; warp < THREADS / 32; ++warp)
        largest = largerOrNan(largest, maxima[warp]);

    if (holds(mine, largest)) {
        // From the last column to the first, so that the first one is what remains.
        int first = INT_MAX;
#pragma unroll
        for (int i = kVectors - 1; i >= 0; --i) {
            const int column = 4 * (i * THREADS + threadIdx.x);
            first = holds(v[i].w, largest) ? column + 3 : first;
            first = holds(v[i].z, largest) ? column + 2 : first;
            first = holds(v[i].y, largest) ? column + 1 : first;
            first = holds(v[i].x, largest) ? column : first;
        }
        atomicMin(&winner, first);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        index[blockIdx.x] = winner;
}

template <int THREADS>
void launch(const float *x, long long *index, int rows, int columns, cudaStream_t stream) {
    argReduction<THREADS>
        <<<rows, THREADS, 0, stream>>>(reinterpret_cast<const float4 *>(x), index, columns / 4);
}

} // namespace

// x: [rows, columns], index: [rows]; columns is a multiple of 4 and at most 8192.
// config = threads per row: 0 -> 256, 1 -> 512, 2 -> 128, 3 -> 1024.
extern "C" void launchArgReduction(const float *x, long long *index, int rows, int columns, int config,
                                   cudaStream_t stream) {
    switch (config) {
    case 1:
        return launch<512>(x, index, rows, columns, stream);
    case 2:
        return launch<128>(x, index, rows, columns, stream);
    case 3:
        return launch<1024>(x, index, rows, columns, stream);
    default:
        return launch<256>(x, index, rows, columns, stream);
    }
}
