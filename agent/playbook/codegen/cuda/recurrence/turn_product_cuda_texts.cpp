// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/recurrence/turn_product_cuda_texts.h"

namespace warpwright {

const QString turnProductText = QStringLiteral(R"(@head@#include <cuda_runtime.h>
@include@
#include <cmath>
#include <cstdint>

namespace {

constexpr int kRows = @rows@; // of the result
constexpr int kUnits = @units@; // its columns@gateWords@
constexpr int kGates = @gates@;
constexpr int kInner = @inner@; // what is summed over

constexpr int kBlockRows = @blockRows@; // that a block makes
constexpr int kBlockUnits = @blockUnits@;
constexpr int kDown = kBlockRows / 16; // tiles of 16 rows by 8 columns
constexpr int kSides = @sides@; // warps with the same rows, each with its columns
constexpr int kAcross = (kBlockUnits * kGates + 8 * kSides - 1) / (8 * kSides);
constexpr int kDepth = @depth@; // of what is summed over, that four threads load at once
constexpr int kSteps = (kInner + kDepth - 1) / kDepth;
constexpr int kPitch = kSides * kAcross * 8 + @gap@; // of sums in shared memory: threads that store together meet all banks

// Of each thread, for what is on its way from one matrix.
template <int WARPS> constexpr int kRegisters = WARPS <= 8 ? 64 : 32;
template <int STEPS, int ROOM> constexpr int kAhead = ROOM < 1 ? 1 : STEPS < ROOM ? STEPS : ROOM;

@functions@// 16 bytes: what the matrix units take of a row in two instructions.
struct alignas(16) Pack {
    unsigned at[4];
};

@multiply@template <int WARPS>
__global__ void __launch_bounds__(WARPS * 32, 1)
@signature@    extern __shared__ __align__(1024) unsigned char shared[];
    float *const sums = reinterpret_cast<float *>(shared);
    constexpr int kThreads = WARPS * 32;
    constexpr int kEach = (kBlockRows * kBlockUnits + kThreads - 1) / kThreads; // results of a thread
    constexpr int kParts = WARPS / kSides;                                      // of what is summed over
    constexpr int kOwn = (kSteps + kParts - 1) / kParts;                        // steps of a warp
    constexpr int kHeld = kAhead<kOwn, kRegisters<WARPS> / (kAcross * 4)>; // of which columns are on their way
    constexpr int kBrought = kAhead<kOwn, kRegisters<WARPS> / (kDown * 8)>; // and rows
    const int thread = threadIdx.x;
    const int part = thread / 32 / kSides;
    const int side = thread / 32 % kSides;
    const int lane = thread % 32;
    const int firstRow = int(blockIdx.y) * kBlockRows;
    const int firstUnit = int(blockIdx.x) * kBlockUnits;
    // Rows beyond the last one are taken for it, and not stored. Each thread has one of eight neighbours, and
    // of their elements a quarter: which of them the units multiply first is all the same, as long as it is
    // the same in both matrices.
    int rowAt[2 * kDown], columnAt[kAcross];
#pragma unroll
    for (int i = 0; i < 2 * kDown; ++i) {
        const int row = firstRow + i * 8 + lane / 4;
        rowAt[i] = @rowPlace@;
    }
#pragma unroll
    for (int i = 0; i < kAcross; ++i) {
        const int place = (side * kAcross + i) * 8 + lane / 4;
        const int gate = place / kBlockUnits < kGates ? place / kBlockUnits : kGates - 1;
        const int unit = firstUnit + place % kBlockUnits;
        columnAt[i] = @columnPlace@;
    }
    const auto placeOf = [&](int i) { return (part + i * kParts) * kDepth + lane % 4 * (kDepth / 4); };
    const auto isThere = [](int k) { return kInner % (kDepth * kParts) == 0 || k < kInner; };
    Pack columns[kHeld][kAcross], rows[kBrought][2 * kDown];
    const auto askColumns = [&](int i) {
        const int k = placeOf(i);
#pragma unroll
        for (int j = 0; j < kAcross; ++j)
            if (isThere(k))
@askColumn@            else
                columns[i % kHeld][j] = Pack{};
    };
    const auto askRows = [&](int i) {
        const int k = placeOf(i);
#pragma unroll
        for (int j = 0; j < 2 * kDown; ++j)
            rows[i % kBrought][j] = isThere(k) ? *reinterpret_cast<const Pack *>(@first@ + rowAt[j] + k) : Pack{};
    };
@early@    // Kernels of a stream follow each other, but for their beginnings. From here on what others have left is there,
    // and the next one's blocks may come.
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
@late@#pragma unroll
    for (int i = 0; i < kBrought; ++i)
        askRows(i);
@declareBeside@
    float own[kDown][kAcross][4] = {};
#pragma unroll
    for (int step = 0; step < kOwn; ++step) {
        const Pack(&factors)[kAcross] = columns[step % kHeld];
        const Pack(&given)[2 * kDown] = rows[step % kBrought];
#pragma unroll
        for (int k = 0; k < 4; k += 2) {
            unsigned squares[kDown][4];
#pragma unroll
            for (int i = 0; i < kDown; ++i) {
                squares[i][0] = @rounded@(given[2 * i].at[k]);
                squares[i][1] = @rounded@(given[2 * i + 1].at[k]);
                squares[i][2] = @rounded@(given[2 * i].at[k + 1]);
                squares[i][3] = @rounded@(given[2 * i + 1].at[k + 1]);
            }
#pragma unroll
            for (int j = 0; j < kAcross; ++j) {
                const unsigned first = @rounded@(factors[j].at[k]);
                const unsigned second = @rounded@(factors[j].at[k + 1]);
#pragma unroll
                for (int i = 0; i < kDown; ++i)
                    multiply(own[i][j], squares[i], first, second);
            }
        }
        if (step + kHeld < kOwn)
            askColumns(step + kHeld);
        if (step + kBrought < kOwn)
            askRows(step + kBrought);
    }
    // Each warp has a part of its sums.
#pragma unroll
    for (int i = 0; i < kDown; ++i)
#pragma unroll
        for (int j = 0; j < kAcross; ++j) {
            float *const target =
                sums + (part * kBlockRows + i * 16 + lane / 4) * kPitch + (side * kAcross + j) * 8 + lane % 4 * 2;
            target[0] = own[i][j][0];
            target[1] = own[i][j][1];
            target[8 * kPitch] = own[i][j][2];
            target[8 * kPitch + 1] = own[i][j][3];
        }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        const int place = thread + i * kThreads;
        const int row = firstRow + place / kBlockUnits;
        const int column = firstUnit + place % kBlockUnits;
        if (place >= kBlockRows * kBlockUnits || row >= kRows || column >= kUnits)
            continue;
        const float *const parts = sums + place / kBlockUnits * kPitch + place % kBlockUnits;
@declareSums@#pragma unroll
        for (int other = 0; other < kParts; ++other) {
@addSums@        }
@statements@    }
}

@start@    constexpr int kBytes = WARPS / kSides * kBlockRows * kPitch * int(sizeof(float));
    if (const cudaError_t status =
            cudaFuncSetAttribute(@function@<WARPS>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
        status != cudaSuccess)
        return int(status);
    // The next turn's blocks may come while this one's are still at work: they wait before they read what it leaves.
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const dim3 blocks((kUnits + kBlockUnits - 1) / kBlockUnits, (kRows + kBlockRows - 1) / kBlockRows);
    const cudaLaunchConfig_t launch{blocks, dim3(WARPS * 32), kBytes, stream, &early, 1};
@call@}

} // namespace

// config = warps that share what is summed over: @choiceWords@.
@launcher@    switch (config) {
@cases@    }
}
)");

const QString turnMultiplyFloats = QStringLiteral(
    R"(// Sums of 16 rows and 8 columns += 16 rows of 8 elements times 8 columns of 8: what the matrix units do in
// one instruction for a warp. Of each factor they take the first 10 bits of mantissa.
__device__ void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
}

// Rounded to TF32: the units cut off the last 13 bits, and half of the last one that stays makes of that a
// rounding. A GPU's NaN is 0x7fffffff, whose sum is a negative number: the larger one is still the NaN.
__device__ unsigned rounded(unsigned bits) { return unsigned(max(int(bits + 0x1000u), int(bits))); }

)");

const QString turnMultiplyHalves = QStringLiteral(
    R"(// Sums of 16 rows and 8 columns += 16 rows of 16 elements times 8 columns of 16: what the matrix units do in
// one instruction for a warp. Each register has two neighbours.
__device__ void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.@word@.@word@.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
}

)");

} // namespace warpwright
