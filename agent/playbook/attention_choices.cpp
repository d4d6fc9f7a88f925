// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/attention_choices.h"

namespace warpwright {
namespace {

constexpr int registersOfThread = 230;         ///< of 255: the others hold addresses and sums
constexpr std::int64_t sharedBytes = 99 << 10; ///< that every device with matrix units of this kind has

std::int64_t filledUp(std::int64_t count, std::int64_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

bool isShort(const FusedKernel &kernel) {
    return kernel.leaves[0].type != ElementType::Float32;
}

} // namespace

AttentionWidths paddedWidths(const FusedKernel &kernel) {
    const std::int64_t query = kernel.loops[kernel.loops.size() - 2];
    const std::int64_t value = kernel.loops.back();
    return isShort(kernel) ? AttentionWidths{filledUp(query, 32), filledUp(value, 16)}
                           : AttentionWidths{filledUp(query, 8), filledUp(value, 8)};
}

std::vector<AttentionCut> attentionCuts(const FusedKernel &kernel) {
    const AttentionWidths widths = paddedWidths(kernel);
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
    // As an H200 liked them: with 16 bits a key that is fetched serves two tiles, with floats more keys come
    // at once.
    const AttentionCut twice{4, 2, 32};
    std::vector<AttentionCut> promising{{4, 2, 64}, {4, 1, 64}, {8, 1, 64}, {8, 1, 32}, {4, 1, 32}};
    promising.insert(promising.begin() + (isOfShorts ? 1 : 3), twice);
    std::vector<AttentionCut> cuts;
    for (const AttentionCut &cut : promising)
        // Floats need registers for more than what is kept.
        if ((isOfShorts || cut.tiles * cut.keys < 128) && cuts.size() < 4 &&
            registers(cut) <= registersOfThread && bytes(cut) <= sharedBytes)
            cuts.push_back(cut);
    return cuts;
}

} // namespace warpwright
