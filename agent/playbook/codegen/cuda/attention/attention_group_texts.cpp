// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/attention/attention_group_texts.h"

#include "agent/playbook/codegen/cuda/attention/attention_cuda_texts.h"
#include "agent/playbook/codegen/cuda/matmul/group_product_text.h"

namespace warpwright {
namespace {

const QString kernelText = QStringLiteral(
    R"(// A block's warps multiply four by four, 64 queries each; KEYS keys come at once, into one of PLACES places.
template <int WARPS, int PLACES, int KEYS>
__global__ void __launch_bounds__(WARPS * 32)
@signature@
    constexpr int TILES = 1; // of 16 queries, that a warp has the scores of
    constexpr int kBlockRows = WARPS * 16;
    constexpr int kBlocks = (kRows - 1) / kBlockRows + 1; // of one attention
    constexpr int kTiles = (kKeys - 1) / KEYS + 1;
    constexpr int kKeyBytes = KEYS * kInner * int(sizeof(@type@)); // of a tile
    constexpr int kValueBytes = KEYS * kColumns * int(sizeof(@type@));
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned keyTiles = unsigned(__cvta_generic_to_shared(shared));
    const unsigned valueTiles = keyTiles + PLACES * kKeyBytes;
    const unsigned queryTiles = valueTiles + PLACES * kValueBytes;
    const unsigned haveKeys = queryTiles + kBlockRows * kInner * int(sizeof(@type@)); // a barrier for each place
    const unsigned haveValues = haveKeys + 8 * PLACES;

    const int lane = threadIdx.x % 32;
@blockOrder@@batchLines@    const int blockRow = block * kBlockRows;
    const int firstRow = blockRow + int(threadIdx.x) / 32 * 16;

@bring@@next@
    int tile = @first@;
    if (threadIdx.x == 0) {
        for (int place = 0; place < 2 * PLACES; ++place)
            initBarrier(haveKeys + 8 * place, 1); // the thread that copies
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    if (tile < kTiles) {
        bringKeys(tile, 0);
        bringValues(tile, 0);
    }

    // The queries stay in shared memory, crosswise as the copy engine leaves keys.
@queryAt@    @type@ *const queries = reinterpret_cast<@type@ *>(shared + PLACES * (kKeyBytes + kValueBytes));
    for (int i = threadIdx.x; i < kBlockRows * (kInner / 2); i += WARPS * 32) {
        const int row = i / (kInner / 2);
        const int at = i % (kInner / 2) * 2;
        *reinterpret_cast<unsigned *>(queries + placeOf(row, at)) =
            pairOf(queryAt(blockRow + row, at), queryAt(blockRow + row, at + 1));
    }
    // The units read shared memory in their own way: what threads wrote has to be told to it.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const int group = __shfl_sync(0xFFFFFFFF, threadIdx.x / 128, 0); // the same of a warp, as the compiler sees
    const std::uint64_t queryBoxes = boxAt(queryTiles + group * 64 * kInner * int(sizeof(@type@)));
    const std::uint64_t keyBoxes = boxAt(keyTiles);
    const std::uint64_t valueBoxes = turnedBoxAt<KEYS>(valueTiles);

    float result[TILES][kColumns / 8][4] = {};
    float sum[TILES][2] = {};
    float largest[TILES][2];
    largest[0][0] = largest[0][1] = -INFINITY;

    for (unsigned turn = 0; tile < kTiles; ++turn) {
        const unsigned place = turn % PLACES;
        const int next = @following@;
        if (PLACES == 2) {
            __syncthreads(); // what lay in the other place has been used
            if (next < kTiles) {
                bringKeys(next, place ^ 1);
                bringValues(next, place ^ 1);
            }
        }
        waitFor(haveKeys + 8 * place, turn / PLACES & 1);
        float scores[TILES][KEYS / 8][4];
        beginProducts();
#pragma unroll
        for (int step = 0; step < kInner / 16; ++step)
            multiply(scores[0], queryBoxes + (step / 4 * (64 * 8) + step % 4 * 2),
                     keyBoxes + (place * (kKeyBytes / 16) + step / 4 * (KEYS * 8) + step % 4 * 2), step);
        commitProducts();
        waitForProducts<0>();
#pragma unroll
        for (int i = 0; i < KEYS / 2; ++i)
            asm volatile("" : "+f"(scores[0][i / 4][i % 4])); // none shall be read before it is there
        if (PLACES == 1) {
            __syncthreads(); // all have used the keys
            if (next < kTiles)
                bringKeys(next, 0);
        }

)");

const QString resultsText = QStringLiteral(
    R"(        // What a thread has of two squares of scores is what it has to have of the weights.
        unsigned weights[KEYS / 16][4];
#pragma unroll
        for (int step = 0; step < KEYS / 16; ++step)
#pragma unroll
            for (int part = 0; part < 4; ++part)
                weights[step][part] = pairOf(scores[0][2 * step + part / 2][part % 2 * 2],
                                             scores[0][2 * step + part / 2][part % 2 * 2 + 1]);
        waitFor(haveValues + 8 * place, turn / PLACES & 1);
        beginProducts();
#pragma unroll
        for (int step = 0; step < KEYS / 16; ++step)
            multiplyTurned(result[0], weights[step], valueBoxes + (place * (kValueBytes / 16) + step * 128), 1);
        commitProducts();
        waitForProducts<0>();
#pragma unroll
        for (int i = 0; i < kColumns / 2; ++i)
            asm volatile("" : "+f"(result[0][i / 4][i % 4]));
        if (PLACES == 1) {
            __syncthreads(); // all have used the values
            if (next < kTiles)
                bringValues(next, 0);
        }
        tile = next;
    }

)");

const QString launchText = QStringLiteral(
    R"(// Keys or values as the copy engine sees them, dimension by dimension, with `steps` of so many elements: boxes
// of 64 elements of each of `keys` neighbours, and zeros for what is beyond the end.
template <int RANK>
bool describe(CUtensorMap &map, const @type@ *elements, const cuuint64_t (&sizes)[RANK],
              const std::int64_t (&steps)[RANK - 1], int keys) {
@encoder@    cuuint64_t strides[RANK - 1];
    cuuint32_t box[RANK], apart[RANK];
    for (int i = 0; i < RANK; ++i) {
        box[i] = i == 0 ? kRowElements : i == 1 ? cuuint32_t(keys) : 1;
        apart[i] = 1;
        if (i > 0)
            strides[i - 1] = cuuint64_t(steps[i - 1]) * sizeof(@type@);
    }
    return encode && encode(&map, @mapType@, RANK, const_cast<@type@ *>(elements), sizes, strides, box, apart,
                            CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                            CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

template <int WARPS, int PLACES, int KEYS>
@start@
    CUtensorMap keyMap, valueMap;
    if (!describe(keyMap, @keyMap@, KEYS) ||
        !describe(valueMap, @valueMap@, KEYS))
        return cudaErrorInvalidValue;
    constexpr int kBytes =
        (PLACES * KEYS * (kInner + kColumns) + WARPS * 16 * kInner) * int(sizeof(@type@)) + 16 * PLACES;
    // More than 48 KiB a block has to ask for.
    const cudaError_t allowed = cudaFuncSetAttribute(@function@<WARPS, PLACES, KEYS>,
                                                     cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
    if (allowed != cudaSuccess)
        return allowed;
    constexpr std::int64_t kBlocks = kBatches * ((kRows - 1) / (WARPS * 16) + 1);
@call@    return cudaGetLastError();
}

)");

} // namespace

QString attentionGroupText() {
    return attentionOpening + kernelText + attentionSoftmax + resultsText + attentionStores + launchText +
           attentionLauncher;
}

const QString attentionGroupPitches = QStringLiteral(
    R"(// The matrix units read keys and values in rows of 128 bytes: wider ones are several tiles behind each other.
constexpr int kRowElements = 64;
)");

QString attentionGroupHelpers(int columns, ElementType type) {
    QString text =
        attentionPair + QStringLiteral(R"(
// Where a query's element is, behind those of the 64 queries before: of the rows of 128 bytes every eight lie
// crosswise, 16 bytes c of row r where c ^ r % 8 would be.
__device__ int placeOf(int query, int at) {
    return query / 64 * (64 * kInner) + (at / kRowElements * 64 + query % 64) * kRowElements +
           ((at % kRowElements / 8) ^ (query % 8)) * 8 + at % 8;
}

)") +
        barrierInstructions.section(QLatin1String("// Arrives where"), 0,
                                    0) + // its places are freed by all together
        QStringLiteral("@copies@") +
        groupProductInstructions +
        QStringLiteral(
            R"(// The same for a box whose rows are summed over: with more than 64 columns, the next are KEYS rows further on.
template <int KEYS> __device__ __forceinline__ std::uint64_t turnedBoxAt(unsigned box) {
    return std::uint64_t(box >> 4 & 0x3FFF) | std::uint64_t(KEYS * 128 >> 4) << 16 |
           std::uint64_t(1024 >> 4) << 32 | 1ull << 62;
}

)");
    for (const int keys : {64, 128})
        text +=
            QStringLiteral("// sums += first * second: 64 queries by %1 keys of 16 elements. `goesOn` = 0 "
                           "begins anew.\n"
                           "__device__ __forceinline__ void multiply(float (&sums)[%2][4], std::uint64_t "
                           "first,\n"
                           "                                         std::uint64_t second, int goesOn) {\n"
                           "%3}\n")
                .arg(keys)
                .arg(keys / 8)
                .arg(groupProductText({keys, type, false, false, true}));
    return text +
           QStringLiteral("// The same by %1 columns of 16 values; of 64 queries' weights a thread has four "
                          "registers.\n"
                          "__device__ __forceinline__ void multiplyTurned(float (&sums)[kColumns / 8][4], "
                          "const unsigned (&first)[4],\n"
                          "                                               std::uint64_t second, int goesOn) "
                          "{\n%2}\n")
               .arg(columns)
               .arg(groupProductText({columns, type, true, true, true}));
}

} // namespace warpwright
