// SPDX-License-Identifier: GPL-3.0-or-later
// y = x / length(x), in one launch.
//
// Every output needs the sum of all squares, so all blocks have to meet in the middle: each adds up its
// own part, waits until all the others have done so, and then scales its part. The grid is small enough
// for all blocks to be on the device at once. Otherwise those that wait would keep out those they wait for.
#include <cuda_runtime.h>

namespace {

constexpr int kBlocks = 64;
constexpr int kThreads = 256;
constexpr int kPart = 16384; // Elements a block: enough for 64 * 16384 = 1,048,576 of them.

__device__ float partialSums[kBlocks];
__device__ unsigned int arrivals;

// Counts on and on over all launches, so that nobody has to set it back: the wait ends at the next
// multiple of the number of blocks.
__device__ void waitForAllBlocks() {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence(); // What this block wrote is visible before its arrival is.
        const unsigned int ticket = atomicAdd(&arrivals, 1u);
        const unsigned int everyone = (ticket / gridDim.x + 1) * gridDim.x;
        while (*static_cast<volatile unsigned int *>(&arrivals) < everyone) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
    normalize(const float *__restrict__ x, float *__restrict__ y, int count) {
    const int first = blockIdx.x * kPart;
    if (first >= count)
        return; // A short vector: nothing left for this block.
    const int last = min(first + kPart, count);

    float sum = 0.0f;
    for (int i = first + threadIdx.x; i < last; i += kThreads)
        sum += x[i] * x[i];
    __shared__ float warpSums[kThreads / 32];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        warpSums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0.0f;
        for (float warpSum : warpSums)
            sum += warpSum;
        partialSums[blockIdx.x] = sum;
    }

    waitForAllBlocks();

    float total = 0.0f;
    for (int block = 0; block * kPart < count; ++block)
        total += *static_cast<volatile float *>(&partialSums[block]);
    const float factor = rsqrtf(total);
    for (int i = first + threadIdx.x; i < last; i += kThreads)
        y[i] = x[i] * factor;
}

} // namespace

// x, y: [count], count at most 1,048,576. config is not used.
extern "C" void launchNormalize(const float *x, float *y, int count, int, cudaStream_t stream) {
    normalize<<<kBlocks, kThreads, 0, stream>>>(x, y, count);
}
