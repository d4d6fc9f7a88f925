// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/transpose_tile.h"

#include "agent/playbook/ir/reference_graph.h"

#include <algorithm>
#include <bit>
#include <set>

namespace warpwright {
namespace {

constexpr int mostTileBytes =
    28; ///< of an element in all tiles: with 32 x 33 of them, within a block's 48 kB
constexpr int mostLargeTileBytes =
    8; ///< the same with 64 x 65, so that an SM has room for two blocks and more
constexpr int largeTile = 64;
constexpr int smallTile = 32;
constexpr std::int64_t longLoop = 256; ///< of such tiles few are cut off
constexpr int leastTile = 16;          ///< of a tile's 32: below it most of its threads would idle
constexpr std::int64_t leastShort = 5; ///< shorter loops are unrolled (unroll_short_loops)
constexpr int wholeColumns = 128;      ///< with all of a short loop

// A short loop across: its contiguous elements are less than a memory line, and a kernel with that loop
// outside reads each line again for each of them. A tile holds all of it, and many columns.
bool isShortAcross(const Kernel &kernel, std::size_t across) {
    return kernel.loops[across] >= leastShort && kernel.loops[across] < leastTile &&
           kernel.loops.back() >= longLoop;
}

bool readsMemory(const Kernel &kernel, int step) {
    const KernelStep &some = kernel.step(step);
    return some.op == Opcode::Load || std::any_of(some.operands.begin(), some.operands.end(),
                                                  [&](int operand) { return readsMemory(kernel, operand); });
}

} // namespace

std::optional<int> readConditionOf(const Kernel &kernel, int input) {
    std::set<int> conditions;
    for (const KernelStep &step : kernel.steps)
        if (step.op == Opcode::Load && step.input == input)
            conditions.insert(step.isGuarded ? step.operands.back() : -1);
    if (conditions.size() != 1)
        return std::nullopt;
    const int condition = *conditions.begin();
    return condition >= 0 && readsMemory(kernel, condition) ? std::nullopt : std::optional(condition);
}

std::optional<TransposeTile> transposeTileOf(const Kernel &kernel) {
    if (!kernel.isLoops() || kernel.isScattered() || kernel.hasReductions() || kernel.loops.size() < 2 ||
        kernel.loops.back() < leastTile)
        return std::nullopt;
    const std::size_t last = kernel.loops.size() - 1;
    const bool isAlong =
        std::all_of(kernel.stores.begin(), kernel.stores.end(),
                    [last](const KernelStore &store) { return store.address.steps[last] == 1; });
    if (!isAlong)
        return std::nullopt;
    if (const auto transposed = transposedGatherOf(kernel))
        return transposed;
    // The loop that moves the most bytes.
    TransposeTile best;
    int most = 0;
    for (std::size_t k = 0; k < last; ++k) {
        TransposeTile tiled{k, {}, {}};
        int bytes = 0;
        for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
            const KernelInput &input = kernel.inputs[i];
            const bool isAcross =
                input.isPlain() && input.address.steps[k] == 1 && input.address.steps[last] > 1;
            const bool isShort = isShortAcross(kernel, k);
            if (!isAcross || (kernel.loops[k] < leastTile && !isShort) ||
                bytes + bytesOf(input.type) > (isShort ? mostLargeTileBytes : mostTileBytes) ||
                !readConditionOf(kernel, static_cast<int>(i)))
                continue;
            tiled.inputs.insert(static_cast<int>(i));
            bytes += bytesOf(input.type);
        }
        if (bytes > most) {
            most = bytes;
            best = tiled;
        }
    }
    return most > 0 ? std::optional(best) : std::nullopt;
}

std::vector<TileSize> tileSizes(const Kernel &kernel, const TransposeTile &tiled) {
    if (!tiled.values.empty())
        return gatherTileSizes(kernel, tiled);
    if (isShortAcross(kernel, tiled.across)) {
        const int side = static_cast<int>(std::bit_ceil(static_cast<unsigned>(kernel.loops[tiled.across])));
        return {{wholeColumns, side}, {2 * wholeColumns, side}};
    }
    int bytes = 0;
    for (const int input : tiled.inputs)
        bytes += bytesOf(kernel.inputs[static_cast<std::size_t>(input)].type);
    // More of each memory line at a time, and more in flight, where shared memory allows.
    const auto suits = [](std::int64_t loop) {
        return loop >= longLoop || loop % largeTile == 0;
    };
    const bool hasRoom = bytes <= mostLargeTileBytes;
    const bool isLong = hasRoom && suits(kernel.loops.back());
    const bool isBroad = hasRoom && suits(kernel.loops[tiled.across]);
    std::vector<TileSize> sizes;
    if (isBroad && kernel.loops.back() == leastTile) // half of a wider tile would be empty
        sizes = {{leastTile, 2 * largeTile}, {leastTile, largeTile}};
    else if (isLong && isBroad)
        sizes = {{largeTile, largeTile}, {smallTile, 2 * largeTile}, {2 * largeTile, smallTile}};
    else if (isBroad)
        sizes = {{smallTile, largeTile}, {smallTile, 2 * largeTile}};
    else if (isLong)
        sizes = {{largeTile, smallTile}, {2 * largeTile, smallTile}};
    sizes.push_back({smallTile, smallTile});
    return sizes;
}

std::int64_t planesOf(const Kernel &kernel, std::size_t across) {
    return elementCount(kernel.loops) / (kernel.loops.back() * kernel.loops[across]);
}

} // namespace warpwright
