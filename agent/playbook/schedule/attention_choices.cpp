// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/attention_choices.h"

#include "agent/playbook/schedule/attention_loops.h"

#include <functional>
#include <numeric>

namespace warpwright {
namespace {

constexpr int registersOfThread = 230;             ///< of 255: the others hold addresses and sums
constexpr int registersOfGroups = 200;             ///< where four warps multiply together
constexpr std::int64_t sharedBytes = 99 << 10;     ///< that every device with matrix units of this kind has
constexpr std::int64_t sharedOfGroups = 200 << 10; ///< of compute capability 9.0
constexpr std::int64_t rowElements = 64;           ///< of 128 bytes, as four warps want them

std::int64_t filledUp(std::int64_t count, std::int64_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

bool isShort(const FusedKernel &kernel) {
    return kernel.leaves[0].type != ElementType::Float32;
}

} // namespace

AttentionWidths paddedWidths(const FusedKernel &kernel, bool isOfGroups) {
    const std::int64_t query = kernel.loops[kernel.loops.size() - 2];
    const std::int64_t value = kernel.loops.back();
    if (isOfGroups)
        return {filledUp(query, rowElements), filledUp(value, rowElements)};
    return isShort(kernel) ? AttentionWidths{filledUp(query, 32), filledUp(value, 16)}
                           : AttentionWidths{filledUp(query, 8), filledUp(value, 8)};
}

bool canTakeWarpGroups(const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::Attention || !isShort(kernel))
        return false;
    if (!canBeCopiedInBoxes(kernel))
        return false;
    const AttentionWidths widths = paddedWidths(kernel, true);
    const AttentionWidths usual = paddedWidths(kernel, false);
    return 3 * (widths.query + widths.value) <= 4 * (usual.query + usual.value) &&
           !attentionCuts(kernel, true).empty();
}

bool takesWarpGroups(const FusedKernel &kernel, const KernelTuning &tuning) {
    return tuning.usesWarpGroups && canTakeWarpGroups(kernel);
}

namespace {

std::vector<AttentionCut> cutsOfGroups(const AttentionWidths &widths) {
    // As an H100 liked it: with 64 elements three blocks of 128 keys were as quick as cuDNN. With 128
    // elements shared memory would hold two blocks alone, had each two places.
    const bool isNarrow = widths.query + widths.value <= 128;
    const std::vector<AttentionCut> promising =
        isNarrow ? std::vector<AttentionCut>{{4, 1, 128}, {4, 1, 64}, {8, 1, 64}, {4, 1, 128, 1}}
                 : std::vector<AttentionCut>{{4, 1, 64, 1}, {8, 1, 64}, {8, 1, 64, 1}, {4, 1, 128, 1}};
    std::vector<AttentionCut> cuts;
    for (const AttentionCut &cut : promising) {
        // Scores, and the same as weights of 16 bits.
        const std::int64_t registers = widths.value / 2 + cut.keys / 2 + cut.keys / 4;
        const std::int64_t bytes =
            (cut.places * cut.keys * (widths.query + widths.value) + cut.rows() * widths.query) * 2;
        if (registers <= registersOfGroups && bytes <= sharedOfGroups && widths.value <= 128)
            cuts.push_back(cut);
    }
    return cuts;
}

} // namespace

std::vector<AttentionCut> attentionCuts(const FusedKernel &kernel, bool isOfGroups) {
    const AttentionWidths widths = paddedWidths(kernel, isOfGroups);
    if (isOfGroups)
        return cutsOfGroups(widths);
    const bool isOfShorts = isShort(kernel);
    // Of a thread: its part of queries, results and scores, for each tile of 16 queries.
    const auto registers = [&](const AttentionCut &cut) {
        const std::int64_t queries = isOfShorts ? widths.query / 4 : widths.query / 2;
        return cut.tiles * (queries + widths.value / 2 + cut.keys / 2);
    };
    // Two tiles of keys and values: one is used while the next one comes.
    const auto bytes = [&](const AttentionCut &cut) {
        return 2 * cut.keys * (widths.query + widths.value + 16) * (isOfShorts ? 2 : 4);
    };
    // As an H200 and an H100 liked them: a key that is fetched serves two tiles, where a block has queries
    // enough; registers of floats hold two with half as many keys.
    const AttentionCut twice{4, 2, 32};
    std::vector<AttentionCut> promising{{4, 2, 64}, {4, 1, 64}, {8, 1, 64}, {8, 1, 32}, {4, 1, 32}};
    const std::int64_t queries =
        std::accumulate(kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.attention.batches),
                        kernel.loops.end() - 3, std::int64_t(1), std::multiplies<>());
    promising.insert(promising.begin() + (isOfShorts ? 1 : queries >= 2 * twice.rows() ? 0 : 3), twice);
    std::vector<AttentionCut> cuts;
    for (const AttentionCut &cut : promising)
        // Floats need registers for more than what is kept.
        if ((isOfShorts || cut.tiles * cut.keys < 128) && cuts.size() < 4 &&
            registers(cut) <= registersOfThread && bytes(cut) <= sharedBytes)
            cuts.push_back(cut);
    return cuts;
}

} // namespace warpwright
