// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/row_scan_cuda_texts.h"

namespace warpwright {

const QString rowScanText = QStringLiteral(
    R"(@functions@// The running values of each thread's piece, in a row that the block goes through round by round: first within the
// piece, then from thread to thread of a warp, by looking back 1, 2, 4 ... of them, then behind the warps before it.
// `carry` is what came before the round, and is brought up to its end. `partials` must not be in use for the round
// before.@before@
template <int THREADS, typename T, typename Combine>
__device__ @result@ scanPieces(T (&values)[kWidth], T &carry, T *partials, Combine combine) {
#pragma unroll
    for (int k = 1; k < kWidth; ++k)
        values[k] = combine(values[k - 1], values[k]);
    T whole = values[kWidth - 1];
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const T other = __shfl_up_sync(0xffffffffu, whole, distance);
        if (lane >= distance)
            whole = combine(other, whole);
    }
    T before = carry;
    if constexpr (THREADS == 32) {
        carry = combine(carry, __shfl_sync(0xffffffffu, whole, 31));
    } else {
        if (lane == 31)
            partials[threadIdx.x / 32] = whole;
        __syncthreads();
#pragma unroll
        for (int warp = 0; warp < THREADS / 32; ++warp) {
            if (warp == threadIdx.x / 32)
                before = carry;
            carry = combine(carry, partials[warp]);
        }
    }
    const T ofOthers = __shfl_up_sync(0xffffffffu, whole, 1);
    if (lane > 0)
        before = combine(before, ofOthers);
#pragma unroll
    for (int k = 0; k < kWidth; ++k)
        values[k] = combine(before, values[k]);
@return@}

@meeting@@parts@template <int THREADS>
__global__ void __launch_bounds__(THREADS)
@head@
@rowLines@    int turn = 0; // of the memory to meet in: who is late still reads the other
    for (int first = @begin@; first < kColumns; first += THREADS * kWidth, turn ^= 1) {
        const int c = first + static_cast<int>(threadIdx.x) * kWidth; // the first of the thread's elements
@elements@    }
@rowEnd@}

} // namespace

@launcher@)");

// As storePart() of ragged_rows, for rows that are read from their end.
const QString storeBackwardsText = QStringLiteral(
    R"(// The same of a row that is gone through from its end: `row` is where its last element lies.
template <typename T> __device__ void storePartBackwards(T *row, int c, const Pack<T> &part) {
    if (c >= 0 && c + kWidth <= kColumns) {
        *reinterpret_cast<Pack<T> *>(row - c - (kWidth - 1)) = part;
        return;
    }
#pragma unroll
    for (int k = 0; k < kWidth; ++k)
        if (unsigned(c + k) < unsigned(kColumns))
            row[-(c + k)] = part.at[kWidth - 1 - k];
}

)");

} // namespace warpwright
