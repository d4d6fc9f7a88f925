// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/matmul/cell_matmul.h"

#include "agent/playbook/ir/element_type.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t packBytes = 16;
constexpr int tileRows = 16; ///< of the matrix units
constexpr int tileColumns = 8;
constexpr int mostTiles = 16; ///< of sums that a warp keeps: four registers of each thread
constexpr int mostTilesDown = 4;
constexpr double roundSeconds = 0.5e-6; ///< that the cache takes to answer
constexpr std::int64_t usualWarps = 8;
constexpr std::int64_t packRegisters = 64; ///< of each matrix, as the text has it for so many warps

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

double secondsOf(const FusedKernel &kernel, const TurnTile &tile) {
    const auto products = static_cast<std::int64_t>(firstBeside(kernel)) - 1;
    const auto bytes = static_cast<double>(kernel.loops[2] * bytesOf(kernel.leaves[0].type));
    // Padded columns are read, too.
    const std::int64_t across = parts(tile.units * products, tile.sides * tileColumns);
    const std::int64_t blocks = parts(kernel.loops[0], tile.rows) * parts(kernel.loops[1], tile.units);
    const Device &device = deviceOf(kernel);
    const double read = static_cast<double>(tile.rows + tile.sides * across * tileColumns) * bytes;
    // What of a warp's steps finds no registers before others are through comes a round later.
    const std::int64_t steps =
        parts(parts(static_cast<std::int64_t>(bytes), 4 * packBytes), usualWarps / tile.sides);
    const std::int64_t ahead = std::max<std::int64_t>(
        std::min(packRegisters / (across * 4), packRegisters / (tile.rows / tileRows * 8)), 1);
    return std::max(static_cast<double>(blocks) * read / device.cacheBytesASecond,
                    static_cast<double>(parts(blocks, device.processors)) * read /
                        device.cacheBytesOfProcessorASecond) +
           static_cast<double>(parts(steps, ahead) - 1) * roundSeconds;
}

} // namespace

TurnTile turnTile(const FusedKernel &kernel) {
    const auto products = static_cast<std::int64_t>(firstBeside(kernel)) - 1;
    TurnTile best;
    double least = std::numeric_limits<double>::max();
    for (int down = mostTilesDown; down >= 1; --down) {
        const int rows = down * tileRows;
        if (down > 1 && rows - tileRows >= kernel.loops[0])
            continue; // the last tile would have no row
        for (int units = 4; units <= 64; units += 4) {
            for (const int sides : {1, 2}) {
                const std::int64_t across = parts(units * products, sides * tileColumns);
                const bool isSmallest = down == 1 && units == 4;
                if ((down * across > mostTiles && !isSmallest) ||
                    (sides == 2 && down * across <= mostTiles / 2))
                    continue;
                const double seconds = secondsOf(kernel, {rows, units, sides});
                if (seconds < least) {
                    least = seconds;
                    best = {rows, units, sides};
                }
            }
        }
    }
    return best;
}

double turnProductSeconds(const FusedKernel &kernel) {
    return secondsOf(kernel, turnTile(kernel));
}

std::vector<int> turnProductWarps(const FusedKernel &kernel) {
    const TurnTile tile = turnTile(kernel);
    const std::int64_t steps = parts(kernel.loops[2] * bytesOf(kernel.leaves[0].type), 4 * packBytes);
    const std::int64_t products = static_cast<std::int64_t>(firstBeside(kernel)) - 1;
    const std::int64_t tiles = tile.rows / tileRows * parts(tile.units * products, tile.sides * tileColumns);
    if (steps * tile.sides < 16)
        return {4, 8, 2};
    return tiles > mostTiles / 2 ? std::vector<int>{8, 4} : std::vector<int>{8, 16, 4};
}

} // namespace warpwright
