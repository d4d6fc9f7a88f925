// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/attention/attention_cuda_texts.h"

namespace warpwright {

const QString attentionPair = QStringLiteral(R"(// Two neighbours in a register.
__device__ unsigned pairOf(float first, float second) {
    const @pair@ both = @makePair@(first, second);
    return reinterpret_cast<const unsigned &>(both);
}
)");

const QString attentionOpening = QStringLiteral(R"(@head@@include@
#include <cmath>
#include <cstdint>

namespace {

constexpr std::int64_t kBatches = @batches@; // attentions of their own
constexpr int kRows = @rows@; // queries of each
constexpr int kKeys = @keys@;
constexpr int kWidth = @width@; // elements of a query and of a key
constexpr int kValues = @values@; // elements of a value and of a result
constexpr int kInner = @inner@; // the same, filled up with zeros to what one instruction takes
constexpr int kColumns = @columns@;
@pitches@// There is an instruction for 2^x: exp(x) = 2^(x * log2(e)).@scaleWords@
constexpr float kScale = @scale@;

@functions@// 2^x in one instruction; what is less than 2^-126 is zero.
__device__ float power2(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

@helpers@
)");

const QString attentionSoftmax = QStringLiteral(
    R"(        // The softmax keeps pace: with a new largest score all that was summed so far becomes smaller.
        float most[TILES][2];
#pragma unroll
        for (int t = 0; t < TILES; ++t) {
            most[t][0] = largest[t][0];
            most[t][1] = largest[t][1];
        }
        const auto visit = [&](const auto &logitOf) {
#pragma unroll
            for (int t = 0; t < TILES; ++t)
#pragma unroll
                for (int j = 0; j < KEYS / 8; ++j)
#pragma unroll
                    for (int e = 0; e < 4; ++e) {
                        const int row = firstRow + t * 16 + lane / 4 + e / 2 * 8;
                        const int key = tile * KEYS + j * 8 + lane % 4 * 2 + e % 2;
                        float &score = scores[t][j][e];
                        score = logitOf(score, row < kRows ? row : kRows - 1, key);
                        most[t][e / 2] = fmaxf(most[t][e / 2], score);
                    }
        };
@visits@
#pragma unroll
        for (int t = 0; t < TILES; ++t) {
            float base[2];
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                // Four threads share a row.
                most[t][r] = fmaxf(most[t][r], __shfl_xor_sync(0xffffffffu, most[t][r], 1));
                most[t][r] = fmaxf(most[t][r], __shfl_xor_sync(0xffffffffu, most[t][r], 2));
                base[r] = most[t][r] == -INFINITY ? 0.0f : most[t][r] * kScale; // nothing is to be seen yet
                const float shrink = power2(largest[t][r] * kScale - base[r]);
                largest[t][r] = most[t][r];
                sum[t][r] *= shrink;
#pragma unroll
                for (int n = 0; n < kColumns / 8; ++n) {
                    result[t][n][2 * r] *= shrink;
                    result[t][n][2 * r + 1] *= shrink;
                }
            }
#pragma unroll
            for (int j = 0; j < KEYS / 8; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    scores[t][j][e] = power2(scores[t][j][e] * kScale - base[e / 2]);
                    sum[t][e / 2] += scores[t][j][e];
                }
        }

)");

const QString attentionStores = QStringLiteral(R"(#pragma unroll
    for (int t = 0; t < TILES; ++t)
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            sum[t][r] += __shfl_xor_sync(0xffffffffu, sum[t][r], 1);
            sum[t][r] += __shfl_xor_sync(0xffffffffu, sum[t][r], 2);
            const float inverse = @inverse@;
            const int row = firstRow + t * 16 + lane / 4 + r * 8;
            if (row >= kRows)
                continue;
@storeRowLines@#pragma unroll
            for (int n = 0; n < kColumns / 8; ++n) {
                const int column = n * 8 + lane % 4 * 2;
@store@            }
        }
}

)");

const QString attentionLauncher = QStringLiteral(R"(} // namespace

// config = how a block is cut: @words@.
// Returns 0, or a cudaError_t.
@launcher@
    switch (config) {
@cases@    }
}
)");

QString attentionText() {
    return attentionOpening +
           QStringLiteral(
               R"(// A warp takes TILES times 16 queries, a block's warps neighbouring ones; KEYS keys come at once.
template <int WARPS, int TILES, int KEYS>
__global__ void __launch_bounds__(WARPS * 32)
@signature@
    constexpr int kBlockRows = WARPS * TILES * 16;
    constexpr int kBlocks = (kRows - 1) / kBlockRows + 1; // of one attention
    constexpr int kTiles = (kKeys - 1) / KEYS + 1;
    extern __shared__ uint4 memory[];
    // Two tiles of each: one is used while the next one comes.
    @type@ *const keyTiles = reinterpret_cast<@type@ *>(memory);
    @type@ *const valueTiles = keyTiles + 2 * KEYS * kPitch;

    const int lane = threadIdx.x % 32;
@blockOrder@@batchLines@    const int blockRow = block * kBlockRows;
    const int firstRow = blockRow + int(threadIdx.x) / 32 * (TILES * 16);

@bring@
@next@
    // The queries stay in registers, as the matrix units want them: rows lane / 4 and 8 more of each tile.
@queryAt@    @query@ queries[TILES][kInner / @step@][4];
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile)
#pragma unroll
        for (int step = 0; step < kInner / @step@; ++step)
#pragma unroll
            for (int part = 0; part < 4; ++part) {
                const int row = firstRow + tile * 16 + lane / 4 + part % 2 * 8;
                const int at = @queryPlace@;
                queries[tile][step][part] = @queryValue@;
            }

    float result[TILES][kColumns / 8][4] = {};
    float sum[TILES][2] = {};
    float largest[TILES][2];
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile)
        largest[tile][0] = largest[tile][1] = -INFINITY;

    int tile = @first@;
    if (tile < kTiles)
        bring(tile, 0);
    __pipeline_commit();
    for (int place = 0; tile < kTiles; place ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        const int next = @following@;
        if (next < kTiles)
            bring(next, place ^ 1);
        __pipeline_commit();

@scores@
)") + attentionSoftmax +
           QStringLiteral(R"(@results@        tile = next;
    }

)") + attentionStores +
           QStringLiteral(R"(template <int WARPS, int TILES, int KEYS>
@start@
    constexpr int kBytes = 2 * KEYS * (kPitch + kValuePitch) * int(sizeof(@type@));
    // More than 48 KiB a block has to ask for.
    const cudaError_t allowed = cudaFuncSetAttribute(@function@<WARPS, TILES, KEYS>,
                                                     cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
    if (allowed != cudaSuccess)
        return allowed;
    constexpr std::int64_t kBlocks = kBatches * ((kRows - 1) / (WARPS * TILES * 16) + 1);
@call@    return cudaGetLastError();
}

)") + attentionLauncher;
}

QString attentionPitches(AttentionFactors factors) {
    return QStringLiteral(
               R"(// From one key to the next in shared memory: so much more that eight of them begin in different banks.
constexpr int kPitch = kInner + %1;
constexpr int kValuePitch = kColumns + %1;
)")
        .arg(factors == AttentionFactors::Shorts ? 8 : 4);
}

QString attentionHelpers(AttentionFactors factors) {
    if (factors == AttentionFactors::Shorts)
        return attentionPair + QStringLiteral(R"(
// Sums of 16 rows and 8 columns += 16 rows of 16 elements times 8 columns of 16: what the matrix units do in
// one instruction for a warp. Each thread holds two rows' neighbouring pairs.
__device__ void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.@word@.@word@.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
}

// Four squares of 8 by 8 elements from shared memory, by rows; each thread says where one of the 32 rows is.
__device__ void loadSquares(unsigned (&squares)[4], const @type@ *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(squares[0]), "=r"(squares[1]), "=r"(squares[2]), "=r"(squares[3])
                 : "r"(unsigned(__cvta_generic_to_shared(row))));
}
// The same by columns.
__device__ void loadTurned(unsigned (&squares)[4], const @type@ *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(squares[0]), "=r"(squares[1]), "=r"(squares[2]), "=r"(squares[3])
                 : "r"(unsigned(__cvta_generic_to_shared(row))));
}
)");
    const QString common = QStringLiteral(
        R"(// Sums of 16 rows and 8 columns += 16 rows of 8 elements times 8 columns of 8: what the matrix units do in
// one instruction for a warp. Of each factor they take the first 10 bits of mantissa.
__device__ void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
}
)");
    if (factors == AttentionFactors::Tf32)
        return common + QStringLiteral(R"(
// Rounded to TF32: the matrix units cut off the last 13 bits, and half of the last one that stays makes of
// that a rounding. A GPU's NaN is 0x7fffffff, whose sum is a negative number: the larger one is still the NaN.
// From sm_90 on both are one instruction.
__device__ unsigned rounded(float value) {
    const unsigned bits = __float_as_uint(value);
    return unsigned(max(int(bits + 0x1000u), int(bits)));
}
)");
    return common + QStringLiteral(R"(
// A float as a sum of two that the matrix units take as they are, but for the last two or three of 24 bits.
struct Parts {
    unsigned high, low;
};
__device__ Parts partsOf(float value) {
    const unsigned high = __float_as_uint(value) & 0xffffe000u;
    return {high, __float_as_uint(value - __uint_as_float(high))};
}
// All but the product of both small parts.
__device__ void multiply(float (&sums)[4], const Parts (&rows)[4], Parts first, Parts second) {
    const unsigned high[4] = {rows[0].high, rows[1].high, rows[2].high, rows[3].high};
    const unsigned low[4] = {rows[0].low, rows[1].low, rows[2].low, rows[3].low};
    multiply(sums, low, first.high, second.high);
    multiply(sums, high, first.low, second.low);
    multiply(sums, high, first.high, second.high);
}
)");
}

QString attentionScores(AttentionFactors factors) {
    if (factors == AttentionFactors::Shorts)
        return QStringLiteral(R"(        float scores[TILES][KEYS / 8][4] = {};
#pragma unroll
        for (int j = 0; j < KEYS / 8; ++j)
#pragma unroll
            for (int step = 0; step < kInner / 16; step += 2) {
                unsigned parts[4];
                loadSquares(parts, keyTiles + (place * KEYS + j * 8 + lane % 8) * kPitch + step * 16 + lane / 8 * 8);
#pragma unroll
                for (int t = 0; t < TILES; ++t) {
                    multiply(scores[t][j], queries[t][step], parts[0], parts[1]);
                    multiply(scores[t][j], queries[t][step + 1], parts[2], parts[3]);
                }
            }
)");
    const bool isExact = factors == AttentionFactors::Floats;
    QString text = QStringLiteral(R"(        float scores[TILES][KEYS / 8][4] = {};
#pragma unroll
        for (int step = 0; step < kInner / 8; ++step) {
@split@#pragma unroll
            for (int j = 0; j < KEYS / 8; ++j) {
                const float *const from =
                    keyTiles + (place * KEYS + j * 8 + lane / 4) * kPitch + step * 8 + lane % 4;
                const @factor@ first = @made@(from[0]);
                const @factor@ second = @made@(from[4]);
#pragma unroll
                for (int t = 0; t < TILES; ++t)
                    multiply(scores[t][j], @rows@, first, second);
            }
        }
)");
    text.replace(
        QLatin1String("@split@"),
        isExact ? QStringLiteral("            Parts rows[TILES][4];\n"
                                 "#pragma unroll\n"
                                 "            for (int t = 0; t < TILES; ++t)\n"
                                 "#pragma unroll\n"
                                 "                for (int part = 0; part < 4; ++part)\n"
                                 "                    rows[t][part] = partsOf(queries[t][step][part]);\n")
                : QString());
    text.replace(QLatin1String("@rows@"),
                 isExact ? QLatin1String("rows[t]") : QLatin1String("queries[t][step]"));
    text.replace(QLatin1String("@factor@"), isExact ? QLatin1String("Parts") : QLatin1String("unsigned"));
    return text.replace(QLatin1String("@made@"),
                        isExact ? QLatin1String("partsOf") : QLatin1String("rounded"));
}

QString attentionResults(AttentionFactors factors) {
    if (factors == AttentionFactors::Shorts)
        return QStringLiteral(R"(#pragma unroll
        for (int step = 0; step < KEYS / 16; ++step) {
            // What a thread has of two squares of scores is what it has to have of the weights.
            unsigned weight[TILES][4];
#pragma unroll
            for (int t = 0; t < TILES; ++t)
#pragma unroll
                for (int part = 0; part < 4; ++part)
                    weight[t][part] = pairOf(scores[t][2 * step + part / 2][part % 2 * 2],
                                             scores[t][2 * step + part / 2][part % 2 * 2 + 1]);
#pragma unroll
            for (int n = 0; n < kColumns / 8; n += 2) {
                unsigned parts[4];
                loadTurned(parts, valueTiles + (place * KEYS + step * 16 + lane % 16) * kValuePitch + n * 8 +
                                      lane / 16 * 8);
#pragma unroll
                for (int t = 0; t < TILES; ++t) {
                    multiply(result[t][n], weight[t], parts[0], parts[1]);
                    multiply(result[t][n + 1], weight[t], parts[2], parts[3]);
                }
            }
        }
)");
    const bool isExact = factors == AttentionFactors::Floats;
    QString text = QStringLiteral(R"(#pragma unroll
        for (int j = 0; j < KEYS / 8; ++j) {
            // A thread has the scores of neighbouring keys, and should have those four apart. A sum's order is
            // free: it takes them for these, and the values in the same order.
            @factor@ weight[TILES][4];
#pragma unroll
            for (int t = 0; t < TILES; ++t)
#pragma unroll
                for (int part = 0; part < 4; ++part)
                    weight[t][part] = @made@(scores[t][j][part % 2 * 2 + part / 2]);
            const float *const from = valueTiles + (place * KEYS + j * 8 + lane % 4 * 2) * kValuePitch + lane / 4;
#pragma unroll
            for (int n = 0; n < kColumns / 8; ++n) {
                const @factor@ first = @made@(from[n * 8]);
                const @factor@ second = @made@(from[n * 8 + kValuePitch]);
#pragma unroll
                for (int t = 0; t < TILES; ++t)
                    multiply(result[t][n], weight[t], first, second);
            }
        }
)");
    text.replace(QLatin1String("@factor@"), isExact ? QLatin1String("Parts") : QLatin1String("unsigned"));
    return text.replace(QLatin1String("@made@"),
                        isExact ? QLatin1String("partsOf") : QLatin1String("rounded"));
}

} // namespace warpwright
