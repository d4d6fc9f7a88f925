// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/convolution/depthwise_cuda_texts.h"

namespace warpwright {

QString depthwiseFileText() {
    return QStringLiteral(R"(@head@#include <cuda_runtime.h>
@include@
#include <cmath>
#include <cstdint>

namespace {

@constants@
@functions@@kernel@
// The work, cut as the numbers say.
template <@template@>
@start@
    constexpr int kThreads = @threads@;
    constexpr std::int64_t kBlocks = @blocks@;
    @function@<@list@>
@call@    return cudaGetLastError();
}

} // namespace

// config = how the work is cut: @words@.
// Returns 0, or a cudaError_t.
@launcher@
@cases@
}
)");
}

QString depthwiseTileText() {
    return QStringLiteral(
        R"(// A plane is one channel of one image@planeWords@. A block makes ACROSS * THREADS_ACROSS by
// DOWN * THREADS_DOWN results of each of its PLANES planes.
template <int ACROSS, int DOWN, int THREADS_ACROSS, int THREADS_DOWN, int PLANES>
__global__ void __launch_bounds__(THREADS_ACROSS * THREADS_DOWN * PLANES)
@signature@
    constexpr int kThreads = THREADS_ACROSS * THREADS_DOWN * PLANES;
    constexpr int kTilesAcross = (kOutWidth - 1) / (THREADS_ACROSS * ACROSS) + 1;
    constexpr int kTilesDown = (kOutHeight - 1) / (THREADS_DOWN * DOWN) + 1;
    // What a thread needs of the input: so many rows, and of each so many packs of four.
    constexpr int kRowsOfThread = (DOWN - 1) * kStrideH + (kTapsDown - 1) * kDilationH + 1;
    constexpr int kSegmentPacks = (kLead + (ACROSS - 1) * kStrideW + (kTapsAtOnce - 1) * kDilationW) / 4 + 1;
    // What a block needs: the same for its last thread, and all that lies before.
    constexpr int kTileRows = (THREADS_DOWN - 1) * DOWN * kStrideH + kRowsOfThread;
    constexpr int kTilePacks = (THREADS_ACROSS - 1) * ACROSS * kStrideW / 4 + kSegmentPacks@morePacks@;
@tileColumns@
    const int firstColumn = blockIdx.x % kTilesAcross * (THREADS_ACROSS * ACROSS);
    const int firstRow = blockIdx.x / kTilesAcross % kTilesDown * (THREADS_DOWN * DOWN);
    const int firstPlane = blockIdx.x / (kTilesAcross * kTilesDown) * PLANES;
    const int column = threadIdx.x % THREADS_ACROSS * ACROSS;
    const int row = threadIdx.x / THREADS_ACROSS % THREADS_DOWN * DOWN;
    const int plane = threadIdx.x / (THREADS_ACROSS * THREADS_DOWN);

    __shared__ Pack<@compute@> tile[PLANES * kTileRows * kTilePacks];
    const int top = firstRow * kStrideH - kPaddingH;
    const int left = firstColumn * kStrideW - kPaddingW - kLead;
@sharedFilters@    @compute@ sum[DOWN][ACROSS] = {};
@3@    for (int tapD = 0; tapD < kTapsDeep; ++tapD) {
@3@        if (tapD > 0)
@3@            __syncthreads(); // nobody needs the slice before any more
@fetch@
@>@        __syncthreads();
@filterOfThread@
@>@        const Pack<@compute@> *const mine =
@>@            tile + (plane * kTileRows + row * kStrideH) * kTilePacks + column * kStrideW / 4;
@unrollRows@
@>@        for (int r = 0; r < kRowsOfThread; ++r) {
@rowBody@
@>@        }
@3@    }

    const int ours = firstPlane + plane;
    if (ours >= kPlanes)
        return;
@2@    const std::int64_t channel = ours % kChannels;
@2@    const std::int64_t image = ours / kChannels;
@3@    const std::int64_t depth = ours % kOutDepth;
@3@    const std::int64_t channel = ours / kOutDepth % kChannels;
@3@    const std::int64_t image = ours / kOutDepth / kChannels;
    @memory@ *const out = @y@ + image * kOutImageStep + channel * kOutChannelStep@outDepth@ +
                 (firstRow + row) * kOutRowStep + (firstColumn + column) * kOutColumnStep;
@results@}
)");
}

QString tilePacksText() {
    return QStringLiteral(
        R"(// Several loads of a thread are on their way together: none waits for the one before.
constexpr int kTileSize = PLANES * kTileRows * kTilePacks;
constexpr int kBatch = (kTileSize - 1) / kThreads < @batch@ ? (kTileSize - 1) / kThreads + 1 : @batch@;
for (int begin = threadIdx.x; begin < kTileSize; begin += kBatch * kThreads) {
    Pack<@memory@> fetched[kBatch];
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
        const int k = begin + b * kThreads;
        const int from = PLANES == 1 ? firstPlane : firstPlane + k / (kTileRows * kTilePacks);
        const int h = @rowPlace@;
        const int w = left + k % kTilePacks * 4;
@depthOf@@whether@        const @memory@ *const in = @x@ + from / @planesPerImage@ * kImageStep +
            from@overDepth@ % kChannels / kFiltersPerChannel * kChannelStep@depthStep@ + h * kRowStep;
@tileLoad@
    }
#pragma unroll
    for (int b = 0; b < kBatch; ++b)
        if (begin + b * kThreads < kTileSize) {
@tileStore@
        }
}
)");
}

QString tileRowsText() {
    return QStringLiteral(
        R"(// kTogether threads fetch a row, so that where it lies is worked out once for all of it. Several loads of a thread
// are on their way together: none waits for the one before.
constexpr int kParts = (kTileLoads - 1) / kTogether + 1; // of a row, a thread's
constexpr int kTurns = (PLANES * kTileRows - 1) / kRowsAtOnce + 1;
constexpr int kMost = @batch@ > kParts ? @batch@ / kParts : 1;
constexpr int kBatch = kTurns < kMost ? kTurns : kMost; // rows
for (int begin = threadIdx.x / kTogether; begin < PLANES * kTileRows && threadIdx.x < kRowsAtOnce * kTogether;
     begin += kBatch * kRowsAtOnce) {
    @piece@ fetched[kBatch][kParts];
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
        const int k = begin + b * kRowsAtOnce;
        const int from = PLANES == 1 ? firstPlane : firstPlane + k / kTileRows;
        const int h = @rowPlace@;
@depthOf@        const bool isRow = k < PLANES * kTileRows && from < kPlanes && h >= 0 && h < kHeight@depthTest@;
        const @memory@ *const in = @x@ + from / @planesPerImage@ * kImageStep +
            from@overDepth@ % kChannels / kFiltersPerChannel * kChannelStep@depthStep@ + h * kRowStep;
#pragma unroll
        for (int i = 0; i < kParts; ++i) {
            const int w = left + (i * kTogether + threadIdx.x % kTogether)@timesWidth@;
@whether@@tileLoad@
        }
    }
#pragma unroll
    for (int b = 0; b < kBatch; ++b)
#pragma unroll
        for (int i = 0; i < kParts; ++i) {
            const int k = begin + b * kRowsAtOnce;
            const int part = i * kTogether + threadIdx.x % kTogether;
            if (k < PLANES * kTileRows && part < kTileLoads) {
@tileStore@
            }
        }
}
)");
}

QString tileBesideText() {
    return QStringLiteral(R"(__syncthreads(); // zeros are there
// Beyond a border: one by one, where the image goes on.
constexpr int kLastColumn = (kOutWidth - 1) * kStrideW - kPaddingW + (kTapsAcross - 1) * kDilationW;
constexpr int kBehind = kLastColumn < kWidth ? 0 : kLastColumn - kWidth + 1;
constexpr int kBeside = kPaddingW + kBehind > 0 ? kPaddingW + kBehind : 1; // elements of a row
for (int k = threadIdx.x; k < PLANES * kTileRows * kBeside; k += kThreads) {
    const int line = k / kBeside;
    const int w = k % kBeside < kPaddingW ? k % kBeside - kPaddingW : kWidth + k % kBeside - kPaddingW;
    const int from = firstPlane + line / kTileRows;
    const int h = @rowPlace@;
@depthBeside@    const int inside = @columnPlace@;
    const @memory@ *const in = @x@ + from / @planesPerImage@ * kImageStep +
        from@overDepth@ % kChannels / kFiltersPerChannel * kChannelStep@depthStep@ + h * kRowStep;
    if (w < left || w >= left + kTilePacks * 4)
        continue; // another block's
    const bool isThere = from < kPlanes && h >= 0 && h < kHeight && inside >= 0 && inside < kWidth@depthTest@;
    tile[line * kTilePacks + (w - left) / 4].at[(w - left) % 4] = isThere ? @element@ : @zero@;
}
)");
}

QString depthwiseChannelsText() {
    return QStringLiteral(
        R"(// A warp's threads are kLanes neighbouring channels. Each makes a strip of ACROSS by DOWN results.
template <int ACROSS, int DOWN, int STRIPS>
__global__ void __launch_bounds__(kLanes * STRIPS)
@signature@
    constexpr int kStripsAcross = (kOutWidth - 1) / ACROSS + 1;
    constexpr int kStripsDown = (kOutHeight - 1) / DOWN + 1;
    constexpr @stripType@ kStrips = @stripType@(kImages) * @outDepths@kStripsDown * kStripsAcross;
    constexpr int kRowsOfThread = (DOWN - 1) * kStrideH + (kTapsDown - 1) * kDilationH + 1;
    constexpr int kSegment = (ACROSS - 1) * kStrideW + (kTapsAtOnce - 1) * kDilationW + 1;

    // The filters of neighbouring channels are one stretch of memory, which the block reads side by side. An
    // odd pitch puts the same tap of neighbouring channels into different banks.
    __shared__ @compute@ filters[kLanes * kPitch];
    const int firstChannel = blockIdx.x % kChannelBlocks * kLanes;
    for (int k = threadIdx.x; k < kLanes * kTaps; k += kLanes * STRIPS)
        if (firstChannel * kTaps + k < kChannels * kTaps)
            filters[k / kTaps * kPitch + k % kTaps] = @firstFilters@;
    __syncthreads();

    const int lane = threadIdx.x % kLanes;
    const std::int64_t channel = firstChannel + lane;
    const @stripType@ strip = @stripType@(blockIdx.x / kChannelBlocks) * STRIPS + threadIdx.x / kLanes;
    if (channel >= kChannels || strip >= kStrips)
        return;
    const int column = strip % kStripsAcross * ACROSS;
    const int row = strip / kStripsAcross % kStripsDown * DOWN;
@2@    const std::int64_t image = strip / (kStripsAcross * kStripsDown);
@3@    const std::int64_t depth = strip / (kStripsAcross * kStripsDown) % kOutDepth;
@3@    const std::int64_t image = strip / (kStripsAcross * kStripsDown) / kOutDepth;
    const int top = row * kStrideH - kPaddingH;
    const int left = column * kStrideW - kPaddingW;
    const @memory@ *const in = @x@ + image * kImageStep + channel / kFiltersPerChannel * kChannelStep;

    @compute@ sum[DOWN][ACROSS] = {};
@3@    for (int tapD = 0; tapD < kTapsDeep; ++tapD) {
@3@        const int d = @depthPlace@;
@3@        if (d < 0 || d >= kDepth)
@3@            continue; // padding
@filterOfThread@
@unrollRows@
@>@        for (int r = 0; r < kRowsOfThread; ++r) {
@>@            const int h = @rowPlace@;
@>@            if (h < 0 || h >= kHeight)
@>@                continue; // padding
@>@            const @memory@ *const from = in@depthStep@ + h * kRowStep;
@rowBody@
@>@        }
@3@    }

    @memory@ *const out = @y@ + image * kOutImageStep + channel * kOutChannelStep@outDepth@ + row * kOutRowStep +
                 column * kOutColumnStep;
@results@}
)");
}

QString tileSegmentText() {
    return QStringLiteral(R"(@compute@ segment[kSegmentPacks * 4];
#pragma unroll
for (int p = 0; p < kSegmentPacks; ++p) {
    const Pack<@compute@> pack = mine[r * kTilePacks + p@piece@];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        segment[p * 4 + k] = pack.at[k];
}
)");
}

QString channelsSegmentText() {
    return QStringLiteral(R"(@compute@ segment[kSegment];
#pragma unroll
for (int i = 0; i < kSegment; ++i) {
    const int w = @columnPlace@;
    segment[i] = w >= 0 && w < kWidth ? @element@ : @zero@;
}
)");
}

QString depthwiseTapsText() {
    return QStringLiteral(R"(// Each of the thread's rows whose window has this one takes what it needs of it.
#pragma unroll
for (int j = 0; j < DOWN; ++j) {
    const int tap = r - j * kStrideH;
    if (tap < 0 || tap > (kTapsDown - 1) * kDilationH@dilationTest@)
        continue;
#pragma unroll
    for (int tapW = 0; tapW < kTapsAtOnce; ++tapW) {
        const @compute@ weightOfTap = filter[tap@overDilation@ * kTapsAcross + @tapAcross@];
#pragma unroll
        for (int i = 0; i < ACROSS; ++i)
            sum[j][i] += weightOfTap * segment[@lead@i * kStrideW + tapW * kDilationW];
    }
}
)");
}

} // namespace warpwright
