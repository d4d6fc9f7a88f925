// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/sort_scatter/sort_cuda_texts.h"

namespace warpwright {

const char *const sortCudaBody = R"(@head@@include@
#include <cmath>
#include <cstdint>

namespace {

constexpr std::int64_t kRows = @rows@;
constexpr int kColumns = @columns@;
@kept@constexpr int kPadded = @padded@; // a power of two: behind a row stand entries that come last in any order
template <int PER_THREAD> constexpr int kLanes = kPadded / PER_THREAD; // threads of a row
// Launching a block costs more than a short row does: several share one.
template <int PER_THREAD> constexpr int kRowsOfBlock = kLanes<PER_THREAD> < @least@ ? @least@ / kLanes<PER_THREAD> : 1;

@entry@
// In shared memory a gap stands behind each 128 bytes, else threads whose entries are some places apart would all
// meet in a few banks. No thread's own entries have one between them.
constexpr unsigned kLine = 128 / sizeof(Entry);
constexpr unsigned kPitch = kPadded + kPadded / kLine; // of a row
__device__ unsigned withGaps(unsigned place) {
    return place + place / kLine;
}

@functions@__device__ void bringInOrder(Entry &first, Entry &second) {
    const bool isTurned = second < first;
    const Entry smaller = isTurned ? second : first;
    second = isTurned ? first : second;
    first = smaller;
}

// Each entry meets the one `distance` behind it, of the same thread.
template <int PER_THREAD> __device__ void meetOwn(Entry (&entries)[PER_THREAD], int distance) {
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k)
        if (k % (2 * distance) < distance)
            bringInOrder(entries[k], entries[k + distance]);
}

// Of two entries that meet the thread in front keeps the smaller one.
__device__ void keepOne(Entry &mine, const Entry &theirs, bool isInFront) {
    if ((theirs < mine) == isInFront)
        mine = theirs;
}

// Each entry meets one of the thread whose number differs by `mask`, in a warp by a shuffle, else through
// shared memory: the one at the same place, or, mirrored, the first one meets the last one.
template <bool IS_MIRRORED, int PER_THREAD>
__device__ void meetOther(Entry (&entries)[PER_THREAD], Entry *exchange, int lane, int mask, bool isInFront) {
    if (kLanes<PER_THREAD> > 32 && mask >= 32) {
        Entry *const mine = exchange + withGaps(lane * PER_THREAD);
        const Entry *const theirs = exchange + withGaps((lane ^ mask) * PER_THREAD);
#pragma unroll
        for (int k = 0; k < PER_THREAD; ++k)
            mine[k] = entries[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < PER_THREAD; ++k)
            keepOne(entries[k], theirs[IS_MIRRORED ? PER_THREAD - 1 - k : k], isInFront);
        __syncthreads(); // From here on it may be written again.
        return;
    }
#pragma unroll
    for (int k = 0; k < (PER_THREAD + 1) / 2; ++k) {
        constexpr int kLast = PER_THREAD - 1;
        const Entry near = shuffled(entries[k], mask);
        const Entry far = shuffled(entries[kLast - k], mask);
        keepOne(entries[k], IS_MIRRORED ? far : near, isInFront);
        if (k < kLast - k)
            keepOne(entries[kLast - k], IS_MIRRORED ? near : far, isInFront);
    }
}

// Two runs in order, side by side, become one: the first entry of one meets the last entry of the other, and so
// on inwards. Then no entry of the front half is larger than one of the back half, and each half is brought in
// order by entries that meet at half the distance, a quarter, an eighth.
template <int PER_THREAD> __device__ void sortRow(Entry (&entries)[PER_THREAD], Entry *exchange, int lane) {
#pragma unroll
    for (int run = 2; run <= PER_THREAD; run *= 2) { // of a thread's own
#pragma unroll
        for (int k = 0; k < PER_THREAD; ++k)
            if (k % run < run / 2)
                bringInOrder(entries[k], entries[k + run - 1 - 2 * (k % run)]);
#pragma unroll
        for (int distance = run / 4; distance > 0; distance /= 2)
            meetOwn(entries, distance);
    }
    for (int run = 2; run <= kLanes<PER_THREAD>; run *= 2) { // of so many threads
        meetOther<true>(entries, exchange, lane, run - 1, lane % run < run / 2);
        for (int distance = run / 4; distance > 0; distance /= 2)
            meetOther<false>(entries, exchange, lane, distance, (lane & distance) == 0);
#pragma unroll
        for (int distance = PER_THREAD / 2; distance > 0; distance /= 2)
            meetOwn(entries, distance);
    }
}

template <int PER_THREAD>
__global__ void __launch_bounds__(kLanes<PER_THREAD> * kRowsOfBlock<PER_THREAD>)
@signature@
    extern __shared__ __align__(1024) unsigned char shared[];
    const int lane = threadIdx.x % kLanes<PER_THREAD>;
    const int ofBlock = threadIdx.x / kLanes<PER_THREAD>;
    const @index@ wanted = @index@(blockIdx.x) * kRowsOfBlock<PER_THREAD> + ofBlock;
    // Threads beyond the last row have to be there when the others meet: they do that row again.
    const @index@ row = wanted < kRows ? wanted : kRows - 1;
@rowLines@    Entry *const exchange = reinterpret_cast<Entry *>(shared) + ofBlock * kPitch;
    Entry entries[PER_THREAD];
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k) {
        const int c = k * kLanes<PER_THREAD> + lane; // neighbours read neighbours: any order will do
        entries[k] = lastEntry(@lastPlace@);
        if (c < kColumns) {
@elements@        }
    }
    sortRow(entries, exchange, lane);
    // A thread's entries are neighbours now. Through shared memory they come to threads that write neighbours.
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k)
        exchange[withGaps(lane * PER_THREAD) + k] = entries[k];
    if (kLanes<PER_THREAD> > 32)
        __syncthreads();
    else
        __syncwarp();
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k) {
        const int c = k * kLanes<PER_THREAD> + lane;
        if (c < @most@ && wanted < kRows) {
            const Entry entry = exchange[withGaps(c)];
@stores@        }
    }
}

template <int PER_THREAD>
@launch@
    constexpr int kThreads = kLanes<PER_THREAD> * kRowsOfBlock<PER_THREAD>;
    constexpr int kBytes = kRowsOfBlock<PER_THREAD> * kPitch * sizeof(Entry);
    constexpr std::int64_t kBlocks = (kRows + kRowsOfBlock<PER_THREAD> - 1) / kRowsOfBlock<PER_THREAD>;
@ask@    @function@<PER_THREAD><<<unsigned(kBlocks), kThreads, kBytes, stream>>>(@arguments@);
    return cudaGetLastError();
}

} // namespace

// config = entries of a row that a thread has: @words@. Returns 0, or a cudaError_t.
@launcher@
    switch (config) {
@cases@    }
}
)";

// What is compared, by the bytes of a key and by whether places go along.
const char *const plainSortEntry = R"(// What is compared: whole numbers, the elements' keys.
using Entry = std::int@bits@_t;

@key@__device__ Entry shuffled(Entry entry, int mask) {
    return __shfl_xor_sync(0xffffffffu, entry, mask);
}

__device__ Entry lastEntry() {
    return INT@bits@_MAX;
}
)";

const char *const packedSortEntry =
    R"(// What is compared: an element's key, and below it its place, so that equal ones stay as they were. @sign@
using Entry = std::int64_t;

@key@__device__ Entry entryOf(std::int32_t key, int low) {
    return (Entry(key) << 32) | low;
}

__device__ Entry shuffled(Entry entry, int mask) {
    return __shfl_xor_sync(0xffffffffu, entry, mask);
}

__device__ Entry lastEntry(int low) {
    return entryOf(INT32_MAX, low);
}
)";

const char *const wideSortEntry =
    R"(// What is compared: an element's key, and where that is the same its place, so that equal ones stay as they were. @sign@
struct Entry {
    std::int64_t key;
    int low;
};

@key@__device__ bool operator<(const Entry &a, const Entry &b) {
    return (a.key < b.key) | ((a.key == b.key) & (a.low < b.low)); // without a branch
}

__device__ Entry shuffled(const Entry &entry, int mask) {
    return {__shfl_xor_sync(0xffffffffu, entry.key, mask), __shfl_xor_sync(0xffffffffu, entry.low, mask)};
}

__device__ Entry lastEntry(int low) {
    return {INT64_MAX, low};
}
)";

const char *const floatSortKeys =
    R"(// The bits of positive numbers are in order as they are, those of negative ones when all but the sign are turned
// round. NaN is behind all others@zeros@.@turn@
__device__ std::int@bits@_t keyOf(@type@ value) {
    const std::int@bits@_t bits = @asBits@(value@plus@);
    const std::int@bits@_t key = bits ^ ((bits >> @shift@) & INT@bits@_MAX);
    return @not@(value != value ? INT@bits@_MAX : key);
}

)";

const char *const floatSortValues = R"(__device__ @type@ valueOf(std::int@bits@_t key) {
@turned@    return @asValue@(key ^ ((key >> @shift@) & INT@bits@_MAX));
}

)";

} // namespace warpwright
