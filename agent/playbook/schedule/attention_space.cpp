// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/attention_space.h"

#include "agent/playbook/schedule/attention_loops.h"

#include <functional>
#include <numeric>

namespace warpwright {
namespace {

constexpr int registersOfThread = 230;         ///< of 255: the others hold addresses and sums
constexpr int warpGroupRegisters = 200;        ///< of a thread, with wgmma
constexpr std::int64_t sharedBytes = 99 << 10; ///< of a block on every device with such tensor cores
constexpr std::int64_t warpGroupSharedBytes = 200 << 10; ///< of compute capability 9.0
constexpr std::int64_t rowElements = 64;                 ///< of 128 bytes, as wgmma reads them

std::int64_t filledUp(std::int64_t count, std::int64_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

bool isShort(const Kernel &kernel) {
    return kernel.inputs[0].type != ElementType::Float32;
}

} // namespace

AttentionWidths paddedWidths(const Kernel &kernel, bool isWarpGroup) {
    const std::int64_t query = kernel.loops[kernel.loops.size() - 2];
    const std::int64_t value = kernel.loops.back();
    if (isWarpGroup)
        return {filledUp(query, rowElements), filledUp(value, rowElements)};
    return isShort(kernel) ? AttentionWidths{filledUp(query, 32), filledUp(value, 16)}
                           : AttentionWidths{filledUp(query, 8), filledUp(value, 8)};
}

bool canTakeWarpGroups(const Kernel &kernel) {
    if (!kernel.isAttention() || !isShort(kernel))
        return false;
    if (!canUseTma(kernel))
        return false;
    const AttentionWidths widths = paddedWidths(kernel, true);
    const AttentionWidths usual = paddedWidths(kernel, false);
    return 3 * (widths.query + widths.value) <= 4 * (usual.query + usual.value) &&
           !attentionTilings(kernel, true).empty();
}

bool takesWarpGroups(const Kernel &kernel, const Knobs &knobs) {
    return knobs.usesWarpGroups && canTakeWarpGroups(kernel);
}

namespace {

std::vector<AttentionTiling> warpGroupTilings(const AttentionWidths &widths) {
    // Tuned on an H100: with 64 elements three blocks of 128 keys were as quick as cuDNN. With 128 elements
    // and two stages shared memory holds only two blocks.
    const bool isNarrow = widths.query + widths.value <= 128;
    const std::vector<AttentionTiling> promising =
        isNarrow ? std::vector<AttentionTiling>{{4, 1, 128}, {4, 1, 64}, {8, 1, 64}, {4, 1, 128, 1}}
                 : std::vector<AttentionTiling>{{4, 1, 64, 1}, {8, 1, 64}, {8, 1, 64, 1}, {4, 1, 128, 1}};
    std::vector<AttentionTiling> tilings;
    for (const AttentionTiling &tiling : promising) {
        // Scores, and the same as 16-bit weights.
        const std::int64_t registers = widths.value / 2 + tiling.keys / 2 + tiling.keys / 4;
        const std::int64_t bytes =
            (tiling.stages * tiling.keys * (widths.query + widths.value) + tiling.rows() * widths.query) * 2;
        if (registers <= warpGroupRegisters && bytes <= warpGroupSharedBytes && widths.value <= 128)
            tilings.push_back(tiling);
    }
    return tilings;
}

} // namespace

std::vector<AttentionTiling> attentionTilings(const Kernel &kernel, bool isWarpGroup) {
    const AttentionWidths widths = paddedWidths(kernel, isWarpGroup);
    if (isWarpGroup)
        return warpGroupTilings(widths);
    const bool isHalf = isShort(kernel);
    // Per thread: its share of queries, results and scores, for each tile of 16 queries.
    const auto registers = [&](const AttentionTiling &tiling) {
        const std::int64_t queries = isHalf ? widths.query / 4 : widths.query / 2;
        return tiling.tiles * (queries + widths.value / 2 + tiling.keys / 2);
    };
    // Two stages of keys and values: one is used while the next one is loaded.
    const auto bytes = [&](const AttentionTiling &tiling) {
        return 2 * tiling.keys * (widths.query + widths.value + 16) * (isHalf ? 2 : 4);
    };
    // Tuned on an H200 and an H100: each loaded key serves two tiles where a block has enough queries; with
    // floats registers hold two tiles of half as many keys.
    const AttentionTiling twice{4, 2, 32};
    std::vector<AttentionTiling> promising{{4, 2, 64}, {4, 1, 64}, {8, 1, 64}, {8, 1, 32}, {4, 1, 32}};
    const std::int64_t queries =
        std::accumulate(kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.attention()->batches),
                        kernel.loops.end() - 3, std::int64_t(1), std::multiplies<>());
    promising.insert(promising.begin() + (isHalf ? 1 : queries >= 2 * twice.rows() ? 0 : 3), twice);
    std::vector<AttentionTiling> tilings;
    for (const AttentionTiling &tiling : promising)
        // Float tiles must leave registers for other values.
        if ((isHalf || tiling.tiles * tiling.keys < 128) && tilings.size() < 4 &&
            registers(tiling) <= registersOfThread && bytes(tiling) <= sharedBytes)
            tilings.push_back(tiling);
    return tilings;
}

std::vector<int> attentionConfigs(const Kernel &kernel, const Knobs &knobs) {
    std::vector<int> rows;
    for (const AttentionTiling &tiling : attentionTilings(kernel, takesWarpGroups(kernel, knobs)))
        rows.push_back(tiling.rows());
    return rows;
}

} // namespace warpwright
