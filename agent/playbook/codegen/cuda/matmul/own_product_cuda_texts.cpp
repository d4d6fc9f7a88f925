// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/own_product_cuda_texts.h"

#include "agent/playbook/codegen/anchor_text.h"

namespace warpwright {

const QString ownProductMultiply = QStringLiteral(
    R"(// sums += first * second: 64 rows by kTileColumns of 32 bytes each; a thread has kTileColumns / 2 of the sums.
// `goesOn` = 0 begins anew.
__device__ __forceinline__ void multiply(float (&sums)[kTileColumns / 2], std::uint64_t first,
                                         std::uint64_t second, int goesOn) {
@multiply@}

)");

const QString ownProductText = QStringLiteral(R"(@head@#include <cuda.h>
@include@#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

@batchCount@constexpr int kRows = @rows@; // of the result
constexpr int kColumns = @columns@;
@inner@
constexpr int kTileRows = 128;
constexpr int kTileColumns = @width@;@widthWords@
constexpr int kTilesDown = (kRows + kTileRows - 1) / kTileRows;
constexpr int kTilesAcross = (kColumns + @own@ - 1) / @own@;
constexpr int kTiles = @batches@kTilesDown * kTilesAcross;
constexpr int kDown = 8; // tiles below one another, then the next column: those at work share what a cache has
constexpr int kDepth = @depth@; // of what is summed over in a stage: 128 bytes of each row
@steps@constexpr int kStageBytes = (kTileRows + kTileColumns) * 128;
@constants@constexpr int kStages = @stages@; // as many as shared memory holds
constexpr int kSharedBytes = kStages * (kStageBytes + 16)@heldBytes@; // with two barriers for each stage@heldWords@

@types@@functions@@instructions@// Where a tile begins.
__device__ __forceinline__ void findTile(int tile, @batchParameter@int &firstRow, int &firstColumn) {
@batchOfTile@    const int above = tile / (kDown * kTilesAcross) * kDown;
    const int rest = tile - above * kTilesAcross;
    const int high = min(kDown, kTilesDown - above);
    firstRow = (above + rest % high) * kTileRows;
    firstColumn = rest / high * @own@;
}

// One block lives on each multiprocessor until there are no tiles left. Of its three groups of 128 threads one
// copies, stage by stage, into a ring in shared memory; the others multiply 64 rows of the tile each.
__global__ void __launch_bounds__(384, 1)
    @function@(@mapParameters@@parameters@) {
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned firstBox = unsigned(__cvta_generic_to_shared(shared));
    const unsigned secondBox = firstBox + kStages * kTileRows * 128;
    const unsigned full = secondBox + kStages * kTileColumns * 128;
    const unsigned empty = full + kStages * 8;
@begin@        for (int tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
            int @batch@firstRow, firstColumn;
            findTile(tile, @batch@firstRow, firstColumn);
@copyLoops@        }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    const int lane = threadIdx.x % 32;
@held@    for (int tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
        int @batch@firstRow, firstColumn;
        findTile(tile, @batch@firstRow, firstColumn);
@before@
        float sums[kTileColumns / 2];
@multiplyLoops@        waitForProducts<0>();
#pragma unroll
        for (int i = 0; i < kTileColumns / 2; ++i)
            asm volatile("" : "+f"(sums[i])); // the compiler shall not read a sum before it is there
@lastFactors@        arrive(empty + 8 * ((turn - 1) % kStages), lane == 0);

        asm volatile("" : "+r"(firstRow), "+r"(firstColumn)@batchKept@); // addresses anew: kept, they would take registers
@after@    }
}

// A matrix as the copy engine sees it: boxes of 128 bytes of `boxRows` rows.@mapWords@
bool describeMatrix(CUtensorMap &map, const @type@ *matrix, int columns, int rows, std::int64_t pitch,
                    int boxRows@mapBatch@) {
@encoder@    const cuuint64_t sizes[@mapDimensions@] = {cuuint64_t(columns), cuuint64_t(rows)@mapBatches@};
    const cuuint64_t strides[@mapStrides@] = {cuuint64_t(pitch) * sizeof(@type@)@mapApart@};
    const cuuint32_t box[@mapDimensions@] = {kDepth, cuuint32_t(boxRows)@mapOne@};
    const cuuint32_t apart[@mapDimensions@] = {1, 1@mapOne@};
    return encode && encode(&map, @mapType@, @mapRank@, const_cast<@type@ *>(matrix), sizes, strides, box,
                            apart, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                            CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

} // namespace

// config means nothing. Returns 0, or a cudaError_t.
@launcher@
    CUtensorMap @maps@;
    if (@describe@)
        return int(cudaErrorInvalidValue);
    int device = 0;
    int processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (const cudaError_t status = cudaFuncSetAttribute(@function@, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                        kSharedBytes);
        status != cudaSuccess)
        return int(status);
    @function@<<<std::min(processors, kTiles), 384, kSharedBytes, stream>>>(@maps@@arguments@);
    return int(cudaGetLastError());
}
)");

const QString ownProductCopies =
    QStringLiteral(R"(            for (int step = 0; step < @steps@; ++step, ++turn) {
                const unsigned stage = turn % kStages;
                waitFor(empty + 8 * stage, (turn / kStages + 1) & 1);
                expectBytes(full + 8 * stage, @bytes@);
@copies@            }
)");

const QString ownProductLoop =
    QStringLiteral(R"(@before@        for (int step = 0; step < @steps@; ++step, ++turn) {
            const unsigned stage = turn % kStages;
            waitFor(full + 8 * stage, turn / kStages & 1);
            const std::uint64_t first = boxAt(firstBox + (stage * kTileRows + group * 64) * 128);
            const std::uint64_t second = @boxAt@(secondBox + stage * kTileColumns * 128);
            beginProducts();
#pragma unroll
@calls@            commitProducts();
            waitForProducts<1>(); // of the step before, whose stage is free now
            arrive(empty + 8 * ((turn - 1) % kStages), @isFree@);
        }
)");

const QString ownProductFactor = QStringLiteral(R"(#pragma unroll
        for (int i = @from@; i < @to@; ++i)
            sums[i] *= @factor@;
)");

const QString packsBefore = QStringLiteral(
    R"(        // wgmma gives a thread rows r and r + 8 of its warp's 16, and two neighbours of every 8 columns. Of two
        // times 8 an even lane takes its neighbour's two of the first, an odd one those of the second: pieces
        // of four.
        const auto rowOf = [&](int piece) {
            return firstRow + 64 * group + mine / 32 * 16 + lane / 4 + piece % 2 * 8;
        };
        const auto inTile = [&](int piece) { return piece / 2 * 16 + 8 * odd + lane % 4 / 2 * 4; };
@gets@@vectors@@ofRows@@reads@
)");

const QString packsAfter = QStringLiteral(R"(@share@        if (firstRow >= kRows)
            continue; // never so; without a branch here sums are read too early
@pieces@)");

const QString packsLoop = QStringLiteral(R"(#pragma unroll
        for (int piece = 0; piece < kPieces; ++piece) {
@piece@)");

static const QString packsRounds = QStringLiteral(R"(#pragma unroll 1
        for (int first = 0; first < kPieces; first += kOfRound) {
@isFar@#pragma unroll
            for (int inRound = 0; inRound < kOfRound; ++inRound) {
                const int piece = first + inRound;
@piece@@again@            // What is left moves to where this round had its sums.
@moves@        }
)");

static const QString roundAgain = QStringLiteral(
    R"(            if (__any_sync(0xFFFFFFFF, isFar)) // the round once more, for any angle: neighbours exchange
#pragma unroll
                for (int inRound = 0; inRound < kOfRound; ++inRound) {
                    const int piece = first + inRound;
@piece@)");

static const QString packsMove = QStringLiteral(R"(#pragma unroll
            for (int i = 0; i < kOfRound * @each@; ++i)
                @move@
)");

const QString packsPiece =
    QStringLiteral(R"(            const float *own = sums + @at@ / 2 * 8 + @at@ % 2 * 2;
            const float given = __shfl_xor_sync(0xFFFFFFFF, odd ? own[0] : own[4], 1);
            const float givenNext = __shfl_xor_sync(0xFFFFFFFF, odd ? own[1] : own[5], 1);
            const float sum[4] = {odd ? given : own[0], odd ? givenNext : own[1], odd ? own[4] : given,
                                  odd ? own[5] : givenNext};
@pair@            const int row = rowOf(piece);
            const int column = firstColumn + inTile(piece);
@packs@@results@@finish@@anyway@            if (row < kRows && column < kColumns)@stores@@refill@        }
)");

static QString indented(const QString &text, int spaces) {
    QString deeper;
    for (const QString &line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        deeper += (line.startsWith(QLatin1Char(' ')) ? QString(spaces, QLatin1Char(' ')) : QString()) + line +
                  QLatin1Char('\n');
    return deeper;
}

QString packsInRounds(const QString &piece, const QString &again, int rounds, bool isPair) {
    // Of four rounds: the second's sums, then those of the last two, then the fourth's. Of two always, though
    // nothing is left in the end: with a condition there ptxas has each stage wait for its products (C7517).
    QString moves;
    for (int odd = 0; odd < rounds / 2; ++odd) {
        const int each = 4 * (odd + 1);
        const QString move = QStringLiteral("sums[%1i] = sums[%1kOfRound * %2 + i]");
        QString ofBoth = move.arg(QString()).arg(each);
        if (isPair)
            ofBoth += QStringLiteral(",\n") + QString(16, QLatin1Char(' ')) +
                      move.arg(QLatin1String("kTileColumns / 4 + ")).arg(each);
        const QString loop =
            filled(packsMove, {{"each", QString::number(each)}, {"move", ofBoth + QLatin1Char(';')}});
        moves += rounds == 2 ? loop
                             : QStringLiteral("            if (first / kOfRound % 2 == %1)\n").arg(odd) +
                                   indented(loop, 4);
    }
    return filled(
        packsRounds,
        {{"isFar", again.isEmpty()
                       ? QString()
                       : QStringLiteral("            bool isFar = false; // an angle for which the short "
                                        "functions are none\n")},
         {"piece", indented(piece, 4)},
         {"again", again.isEmpty() ? QString() : filled(roundAgain, {{"piece", indented(again, 8)}})},
         {"moves", moves}});
}

const QString elementsAfter = QStringLiteral(R"(        if (firstRow >= kRows)
            continue; // never so; without a branch here sums are read too early
        const int top = firstRow + 64 * group + threadIdx.x % 128 / 32 * 16;
        const int inPart = lane % kAcross * kWide;
        // wgmma gives a thread rows r and r + 8 of its warp's 16, and two neighbours of every 8 columns.
        const auto turn = [&](const float *own) {
            __syncwarp(); // what was there has been read
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                float *to = turned + lane / 4 * kPitch + 8 * i + lane % 4 * 2;
                *reinterpret_cast<float2 *>(to) = make_float2(own[4 * i], own[4 * i + 1]);
                *reinterpret_cast<float2 *>(to + 8 * kPitch) = make_float2(own[4 * i + 2], own[4 * i + 3]);
            }
            __syncwarp();
        };
#pragma unroll
        for (int part = 0; part < @own@ / 32; ++part) {
            turn(sums + 16 * part);
@turnOther@            const bool isColumn = firstColumn + 32 * part + inPart < kColumns;
            const int column = min(firstColumn + 32 * part + inPart, kColumns - kWide);
@ofColumns@#pragma unroll
            for (int first = 0; first < 16; first += kAtOnce * kWide) {
@reads@#pragma unroll
                for (int i = 0; i < kAtOnce; ++i) { // no branch around what is computed: several rows take turns
                    const int place = first + i * kWide + lane / kAcross;
                    const int row = top + place;
@sum@@results@@finish@                    if (row < kRows && isColumn)@stores@                }
            }
        }
)");

} // namespace warpwright
