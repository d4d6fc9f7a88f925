// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/attention_group_texts.h"

#include "agent/playbook/group_product_text.h"

namespace warpwright {

const QString attentionPair = QStringLiteral(R"(// Two neighbours in a register.
__device__ unsigned pairOf(float first, float second) {
    const @pair@ both = @makePair@(first, second);
    return reinterpret_cast<const unsigned &>(both);
}
)");

const QString attentionGroupPitches = QStringLiteral(
    R"(// The matrix units read keys and values in rows of 128 bytes: wider ones are several tiles behind each other.
constexpr int kRowElements = 64;
)");

const QString attentionGroupMemory =
    QStringLiteral(R"(    extern __shared__ __align__(1024) unsigned char shared[];
    // Two tiles of each: one is used while the next one comes.
    @type@ *const keyTiles = reinterpret_cast<@type@ *>(shared);
    @type@ *const valueTiles = keyTiles + 2 * KEYS * kInner;
    const unsigned keyBox = unsigned(__cvta_generic_to_shared(shared));
    const unsigned valueBox = keyBox + 2 * KEYS * kInner * int(sizeof(@type@));
)");

const QString attentionGroupVisible = QStringLiteral(
    R"(        // The units read shared memory in their own way: what threads wrote has to be told to it.
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
)");

const QString attentionGroupScores = QStringLiteral(R"(        float scores[TILES][KEYS / 8][4];
        beginProducts();
#pragma unroll
        for (int step = 0; step < kInner / 16; ++step) {
            const unsigned keys = keyBox + (place * (kInner / kRowElements) + step / 4) * KEYS * 128;
            multiply(scores[0], queries[0][step], boxAt(keys + step % 4 * 32), step);
        }
        commitProducts();
        waitForProducts<0>();
#pragma unroll
        for (int i = 0; i < KEYS / 2; ++i)
            asm volatile("" : "+f"(scores[0][i / 4][i % 4])); // none shall be read before it is there
)");

const QString attentionGroupResults = QStringLiteral(
    R"(        // What a thread has of two squares of scores is what it has to have of the weights.
        unsigned weights[KEYS / 16][4];
#pragma unroll
        for (int step = 0; step < KEYS / 16; ++step)
#pragma unroll
            for (int part = 0; part < 4; ++part)
                weights[step][part] = pairOf(scores[0][2 * step + part / 2][part % 2 * 2],
                                             scores[0][2 * step + part / 2][part % 2 * 2 + 1]);
        beginProducts();
#pragma unroll
        for (int step = 0; step < KEYS / 16; ++step)
            multiplyTurned(result[0], weights[step],
                           turnedBoxAt<KEYS>(valueBox + place * KEYS * kColumns * int(sizeof(@type@)) + step * 2048),
                           1);
        commitProducts();
        waitForProducts<0>();
#pragma unroll
        for (int i = 0; i < kColumns / 2; ++i)
            asm volatile("" : "+f"(result[0][i / 4][i % 4]));
)");

QString attentionGroupHelpers(int columns, ElementType type) {
    QString text =
        attentionPair + QStringLiteral(R"(
// Where an element is: of the rows of 128 bytes every eight lie crosswise, 16 bytes c of row r where c ^ r % 8
// would be.
template <int KEYS, int WIDTH> __device__ int placeOf(int tile, int key, int at) {
    return ((tile * (WIDTH / kRowElements) + at / kRowElements) * KEYS + key) * kRowElements +
           ((at % kRowElements / 8) ^ (key % 8)) * 8 + at % 8;
}

// ---- one small function for each instruction ----

)") + groupProductInstructions +
        QStringLiteral(
            R"(// The same for a box whose rows are summed over: with more than 64 columns, the next are KEYS rows further on.
template <int KEYS> __device__ __forceinline__ std::uint64_t turnedBoxAt(unsigned box) {
    return std::uint64_t(box >> 4 & 0x3FFF) | std::uint64_t(KEYS * 128 >> 4) << 16 |
           std::uint64_t(1024 >> 4) << 32 | 1ull << 62;
}

)");
    for (const int keys : {64, 128})
        text += QStringLiteral(
                    "// sums += first * second: 64 queries, of which a thread has four registers, by %1 "
                    "keys of 16 elements. `goesOn` = 0\n// begins anew.\n"
                    "__device__ __forceinline__ void multiply(float (&sums)[%2][4], const unsigned "
                    "(&first)[4],\n"
                    "                                         std::uint64_t second, int goesOn) {\n"
                    "%3}\n")
                    .arg(keys)
                    .arg(keys / 8)
                    .arg(groupProductText({keys, type, true, false, true}));
    return text +
           QStringLiteral("// The same by %1 columns of 16 values.\n"
                          "__device__ __forceinline__ void multiplyTurned(float (&sums)[kColumns / 8][4], "
                          "const unsigned (&first)[4],\n"
                          "                                               std::uint64_t second, int goesOn) "
                          "{\n%2}\n")
               .arg(columns)
               .arg(groupProductText({columns, type, true, true, true}));
}

} // namespace warpwright
