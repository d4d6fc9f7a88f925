// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/convolution/own_convolution_cuda_texts.h"

namespace warpwright {

const QString ownConvolutionText = QStringLiteral(R"(@head@#include <cuda.h>
@include@#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

constexpr int kImages = @images@;
constexpr int kChannels = @channels@; // side by side in the image and in each filter's taps
constexpr int kFilters = @filters@;@filterWords@
@sizes@constexpr int kPlaces = @places@; // of an image's result
constexpr int kAll = kImages * kPlaces;

constexpr int kGroupPlaces = @groupPlaces@; // that a group of 128 threads has at once, of 64 filters
constexpr int kGroupFilters = @groupFilters@;@groupFilterWords@
constexpr int kGroupsDown = @groupsDown@; // @groupWords@
constexpr int kGroupsAcross = 2 / kGroupsDown;
constexpr int kTileFilters = kGroupFilters * kGroupsDown;
constexpr int kTileRows = 64 * kGroupsDown;
constexpr int kTilePlaces = kGroupPlaces * kGroupsAcross;
constexpr int kTilesDown = (kFilters + kTileFilters - 1) / kTileFilters;
constexpr int kTilesAcross = (kAll + kTilePlaces - 1) / kTilePlaces;
constexpr int kTiles = kTilesDown * kTilesAcross;
constexpr int kChunk = @chunk@; // channels of a stage: 128 bytes of each row
constexpr int kChunks = (kChannels + kChunk - 1) / kChunk;
@steps@constexpr int kStageBytes = (kTileRows + kTilePlaces) * 128;
constexpr int kStages = @stages@; // as many as shared memory holds
@heldWords@constexpr int kSharedBytes = kStages * (kStageBytes + 16)@heldBytes@; // with two barriers for each stage
constexpr int kTogether = @together@; // neighbouring places of a filter that a thread finishes at once: a piece
constexpr int kEach = kGroupFilters / 32; // filters that a thread has sums of
constexpr int kPieces = kGroupPlaces / 4 * kEach / kTogether;
constexpr int kAtOnce = @atOnce@; // pieces whose loads do not wait for each other

struct alignas(kTogether * sizeof(@type@)) Pack {
    @type@ at[kTogether];
};

@functions@@instructions@// The copy engine brings 128 bytes of a tap of @boxFilters@ filters, zeros for what lies outside, and tells the
// barrier.
__device__ __forceinline__ void copyFilters(unsigned to, const CUtensorMap *map, unsigned barrier, int channel,
                                            int tap, int filter) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
                 "%4, %5}], [%2];" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(channel), "r"(tap), "r"(filter)
                 : "memory");
}

// The same of what lies under a tap, for kGroupPlaces places of results from a window's first pixel on. The
// engine goes from window to window, row to row and image to image by itself.
__device__ __forceinline__ void copyPixels(unsigned to, const CUtensorMap *map, unsigned barrier, int channel,
                                           @coordinates@, int image,
                                           @offsets@) {
    asm volatile("cp.async.bulk.tensor.@rank@d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {@coordinateOperands@}], [%2], {@offsetOperands@};" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(channel), @coordinateArguments@, "r"(image),
                 @offsetArguments@
                 : "memory");
}

@prefetch@// sums += first * second: 64 filters by kGroupPlaces places of 32 bytes each; a thread has kGroupPlaces / 2 of
// the sums. `goesOn` = 0 begins anew.
__device__ __forceinline__ void multiply(float (&sums)[kGroupPlaces / 2], std::uint64_t first,
                                         std::uint64_t second, int goesOn) {
@multiply@}

// One block lives on each multiprocessor until there are no tiles left; those with the same places are
// neighbours, and these come from memory once. Of its three groups of 128 threads one copies, stage by stage,
// into a ring in shared memory; the others multiply.
__global__ void __launch_bounds__(384, 1)
    @function@(const __grid_constant__ CUtensorMap filterMap,@otherMap@ const __grid_constant__ CUtensorMap imageMap@parameters@) {
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned filterBox = unsigned(__cvta_generic_to_shared(shared));
    const unsigned pixelBox = filterBox + kStages * kTileRows * 128;
    const unsigned full = pixelBox + kStages * kTilePlaces * 128;
    const unsigned empty = full + kStages * 8;
@begin@        for (int tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
            const int firstFilter = tile % kTilesDown * kTileFilters;
            const int firstPlace = tile / kTilesDown * kTilePlaces;
            for (int tap = 0; tap < kTaps; ++tap)
                for (int chunk = 0; chunk < kChunks; ++chunk, ++turn) {
                    const unsigned stage = turn % kStages;
                    waitFor(empty + 8 * stage, (turn / kStages + 1) & 1);
                    expectBytes(full + 8 * stage, kStageBytes);
@copyFilters@#pragma unroll
                    for (int box = 0; box < kGroupsAcross; ++box) {
                        const int place = (firstPlace + box * kGroupPlaces) % kPlaces;
                        const int image = (firstPlace + box * kGroupPlaces) / kPlaces;
                        copyPixels(pixelBox + (stage * kTilePlaces + box * kGroupPlaces) * 128, &imageMap,
                                   full + 8 * stage, chunk * kChunk,
                                   @firstPixel@, image,
                                   @tapOffsets@);
                    }
                }
        }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    const int lane = threadIdx.x % 32;
    const int mine = threadIdx.x % 128;
    const int down = kGroupsDown == 2 ? group : 0;
    const int across = kGroupsDown == 2 ? 0 : group;
@held@    for (int tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
        int firstFilter = tile % kTilesDown * kTileFilters + down * kGroupFilters;
        int firstPlace = tile / kTilesDown * kTilePlaces + across * kGroupPlaces;
@prefetches@        float sums[kGroupPlaces / 2];
@loop@        waitForProducts<0>();
#pragma unroll
        for (int i = 0; i < kGroupPlaces / 2; ++i)
            asm volatile("" : "+f"(sums[i])); // the compiler shall not read a sum before it is there
        arrive(empty + 8 * ((turn - 1) % kStages), lane == 0);

        asm volatile("" : "+r"(firstFilter), "+r"(firstPlace)); // addresses anew: kept, they would take registers
        if (firstPlace < 0)
            continue; // never so; without a branch here sums are read too early
@pieces@#pragma unroll
        for (int first = 0; first < kPieces; first += kAtOnce) {
@share@@reads@@finish@        }
    }
}

// A function of the driver, through the runtime: the driver's library is not linked.
void *driverFunction(const char *name) {
    void *found = nullptr;
    cudaDriverEntryPointQueryResult answer;
    const cudaError_t status = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &answer);
    return status == cudaSuccess ? found : nullptr;
}

// The filters as the copy engine sees them: channels, taps, filters.@mapWords@
bool describeFilters(CUtensorMap &map, const @type@ *memory) {
    static const auto encode =
        reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(driverFunction("cuTensorMapEncodeTiled"));
    const cuuint64_t sizes[3] = {kChannels, kTaps, kFilters};
    const cuuint64_t strides[2] = {kChannels * sizeof(@type@), kTaps * kChannels * sizeof(@type@)};
    const cuuint32_t box[3] = {kChunk, 1, @boxFilters@};
    const cuuint32_t apart[3] = {1, 1, 1};
    return encode && encode(&map, @mapType@, 3, const_cast<@type@ *>(memory), sizes, strides, box,
                            apart, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                            CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

// The image: for each window its first pixel, which goes from `lower` (before the image's first) to `upper`
// (behind its last), so many pixels at a time.
bool describeImage(CUtensorMap &map, const @type@ *memory) {
    static const auto encode =
        reinterpret_cast<decltype(&cuTensorMapEncodeIm2col)>(driverFunction("cuTensorMapEncodeIm2col"));
    const cuuint64_t sizes[@rank@] = {kChannels, @imageSizes@, kImages};
    cuuint64_t strides[@rank@ - 1]; // bytes
    for (int i = 0; i < @rank@ - 1; ++i)
        strides[i] = (i == 0 ? sizeof(@type@) : strides[i - 1]) * sizes[i];
    const int lower[@space@] = {@lower@};
    const int upper[@space@] = {@upper@};
    const cuuint32_t apart[@rank@] = {1, @apart@, 1};
    return encode && encode(&map, @mapType@, @rank@, const_cast<@type@ *>(memory), sizes, strides, lower,
                            upper, kChunk, kGroupPlaces, apart, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

} // namespace

// config means nothing. Returns 0, or a cudaError_t.
@launcher@
    CUtensorMap @maps@;
    if (!describeFilters(filterMap, @filterPointer@) ||@describeOther@ !describeImage(imageMap, @imagePointer@))
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

const QString convolutionFinish = QStringLiteral(R"(#pragma unroll
            for (int i = 0; i < kAtOnce; ++i) {
                const int filter = filterOf(first + i);
                const int number = placeOf(first + i);
@sum@                Pack result;
#pragma unroll
                for (int k = 0; k < kTogether; ++k) {
@statements@                }
                makeAnyway(result);
                if (filter < kFilters && number < kAll) {
@where@                    *reinterpret_cast<Pack *>(@out@) = result;
                }
            }
)");
const QString convolutionFinishOfLanes =
    QStringLiteral(R"(            const int number = placeOf(first); // of each of these pieces
            if (number < kAll && filterOf(first) < kFilters) {
@where@                Pack results[kAtOnce];
#pragma unroll // no branch around what is computed: several sums take turns
                for (int i = 0; i < kAtOnce; ++i) {
@sum@#pragma unroll
                    for (int k = 0; k < kTogether; ++k) {
@statements@                    }
                }
#pragma unroll
                for (int i = 0; i < kAtOnce; ++i) {
                    const int filter = filterOf(first + i);
                    if (kFilters % (8 * kEach) == 0 || filter < kFilters)
                        *reinterpret_cast<Pack *>(@out@) = results[i];
                }
            }
)");

const QString convolutionLoop = QStringLiteral(R"(        for (int step = 0; step < kSteps; ++step, ++turn) {
            const unsigned stage = turn % kStages;
            waitFor(full + 8 * stage, turn / kStages & 1);
            const std::uint64_t first = boxAt(filterBox + (stage * kTileRows + down * 64) * 128);
            const std::uint64_t second = boxAt(pixelBox + (stage * kTilePlaces + across * kGroupPlaces) * 128);
            beginProducts();
#pragma unroll
            for (int part = 0; part < 4; ++part) // 32 bytes of each row at once
                multiply(sums, first + 2 * part, second + 2 * part, step | part);
            commitProducts();
            waitForProducts<1>(); // of the step before, whose stage is free now
            arrive(empty + 8 * ((turn - 1) % kStages), lane == 0 && step > 0);
        }
)");

const QString convolutionLoopOfParts = QStringLiteral(R"(        for (int tap = 0; tap < kTaps; ++tap) {
#pragma unroll // of the last channels parts are empty
            for (int chunk = 0; chunk < kChunks; ++chunk, ++turn) {
                const unsigned stage = turn % kStages;
                waitFor(full + 8 * stage, turn / kStages & 1);
                const std::uint64_t first = boxAt(filterBox + (stage * kTileRows + down * 64) * 128);
                const std::uint64_t second =
                    boxAt(pixelBox + (stage * kTilePlaces + across * kGroupPlaces) * 128);
                beginProducts();
#pragma unroll
                for (int part = 0; part < (chunk + 1 < kChunks ? 4 : kLastParts); ++part) // 32 bytes of each row
                    multiply(sums, first + 2 * part, second + 2 * part, tap | chunk | part);
                commitProducts();
                waitForProducts<1>(); // of the stage before, which is free now
                arrive(empty + 8 * ((turn - 1) % kStages), lane == 0 && (tap | chunk) > 0);
            }
        }
)");

const QString convolutionPiecesOfFour = QStringLiteral(
    R"(        // wgmma gives a thread rows r and r + 8 of its warp's 16, and two neighbours of every 8 places. Of two
        // times 8 an even lane takes its neighbour's two of the first, an odd one those of the second: pieces
        // of four.
        const int odd = lane % 2;
        const auto filterOf = [&](int piece) {
            return firstFilter + mine / 32 * 8 * kEach + lane / 4 + piece % kEach * 8;
        };
        const auto placeOf = [&](int piece) {
            return firstPlace + piece / kEach * 16 + 8 * odd + lane % 4 / 2 * 4;
        };
)");
const QString convolutionSumOfFour = QStringLiteral(
    R"(                const float *own = sums + (first + i) / kEach * 8 + (first + i) % kEach * 2;
                const float given = __shfl_xor_sync(0xFFFFFFFF, odd ? own[0] : own[4], 1);
                const float givenNext = __shfl_xor_sync(0xFFFFFFFF, odd ? own[1] : own[5], 1);
                const float sum[4] = {odd ? given : own[0], odd ? givenNext : own[1],
                                      odd ? own[4] : given, odd ? own[5] : givenNext};
)");
const QString convolutionOtherOfFour = QStringLiteral(
    R"(                own += 2;
                const float otherGiven = __shfl_xor_sync(0xFFFFFFFF, odd ? own[0] : own[4], 1);
                const float otherNext = __shfl_xor_sync(0xFFFFFFFF, odd ? own[1] : own[5], 1);
                const float other[4] = {odd ? otherGiven : own[0], odd ? otherNext : own[1],
                                        odd ? own[4] : otherGiven, odd ? own[5] : otherNext};
)");

const QString convolutionPiecesOfOne = QStringLiteral(
    R"(        // wgmma gives a thread rows r and r + 8 of its warp's 16, and two neighbours of every 8 places: eight lanes
        // have neighbouring filters.
        const auto filterOf = [&](int piece) {
            return firstFilter + mine / 32 * 8 * kEach + lane / 4 + piece / 2 % kEach * 8;
        };
        const auto placeOf = [&](int piece) {
            return firstPlace + piece / 2 / kEach * 8 + lane % 4 * 2 + piece % 2;
        };
)");
const QString convolutionSumOfOne = QStringLiteral(
    R"(                const float *own =
                    sums + (first + i) / 2 / kEach * 4 + (first + i) / 2 % kEach * 2 + (first + i) % 2;
                const float sum[1] = {own[0]};
)");
const QString convolutionOtherOfOne = QStringLiteral(R"(                const float other[1] = {own[2]};
)");

const QString convolutionPiecesOfLanes = QStringLiteral(
    R"(        // wgmma gives a thread rows r and r + 8 of its warp's 16, and two neighbours of every 8 places. Images that
        // begin anywhere are stored place by place: of 32 of them each lane takes one, by way of shared memory.
        const auto filterOf = [&](int piece) {
            return firstFilter + mine / 32 * 8 * kEach + piece % (8 * kEach);
        };
        const auto placeOf = [&](int piece) { return firstPlace + piece / (8 * kEach) * 32 + lane; };
)");
const QString convolutionShareOfLanes = QStringLiteral(
    R"(            if (first % (8 * kEach) == 0) { // the next 32 places of 16 rows
                __syncwarp();               // the last ones have been read
                const float *own = sums + first / (8 * kEach) * 16;
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    float *to = held + lane / 4 * kHeldPitch + 8 * i + lane % 4 * 2;
                    *reinterpret_cast<float2 *>(to) = make_float2(own[4 * i], own[4 * i + 1]);
                    *reinterpret_cast<float2 *>(to + 8 * kHeldPitch) = make_float2(own[4 * i + 2], own[4 * i + 3]);
                }
                __syncwarp();
            }
)");
const QString convolutionSumOfLanes = QStringLiteral(
    R"(                    const float *own = held + (first + i) % (8 * kEach) * kHeldPitch + lane;
                    const float sum[1] = {own[0]};
)");
const QString convolutionOtherOfLanes = QStringLiteral(
    R"(                    const float other[1] = {own[8 * kHeldPitch]};
)");

} // namespace warpwright
