// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/matmul/cell_matmul.h"

#include "agent/playbook/ir/element_type.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t vectorBytes = 16;
constexpr int tileRows = 16; ///< of the tensor cores
constexpr int tileColumns = 8;
constexpr int mostTiles = 16; ///< of sums per warp: four registers of each thread
constexpr int maxTilesDown = 4;
constexpr double iterationSeconds = 0.5e-6; ///< latency of the cache
constexpr std::int64_t usualWarps = 8;
constexpr std::int64_t vectorRegisters = 64; ///< of each matrix, unrolled for so many warps

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

double secondsOf(const Kernel &kernel, const CellTile &tile) {
    const auto matmuls = static_cast<std::int64_t>(firstEpilogueInput(kernel)) - 1;
    const auto bytes = static_cast<double>(kernel.loops[2] * bytesOf(kernel.inputs[0].type));
    // Padded columns are read, too.
    const std::int64_t across = parts(tile.units * matmuls, tile.sides * tileColumns);
    const std::int64_t blocks = parts(kernel.loops[0], tile.rows) * parts(kernel.loops[1], tile.units);
    const Device &device = deviceOf(kernel);
    const double read = static_cast<double>(tile.rows + tile.sides * across * tileColumns) * bytes;
    // Loads of a warp that find no registers before others are done come an iteration later.
    const std::int64_t steps =
        parts(parts(static_cast<std::int64_t>(bytes), 4 * vectorBytes), usualWarps / tile.sides);
    const std::int64_t ahead = std::max<std::int64_t>(
        std::min(vectorRegisters / (across * 4), vectorRegisters / (tile.rows / tileRows * 8)), 1);
    return std::max(static_cast<double>(blocks) * read / device.cacheBytesASecond,
                    static_cast<double>(parts(blocks, device.processors)) * read /
                        device.cacheBytesOfProcessorASecond) +
           static_cast<double>(parts(steps, ahead) - 1) * iterationSeconds;
}

} // namespace

CellTile cellTile(const Kernel &kernel) {
    const auto matmuls = static_cast<std::int64_t>(firstEpilogueInput(kernel)) - 1;
    CellTile best;
    double least = std::numeric_limits<double>::max();
    for (int down = maxTilesDown; down >= 1; --down) {
        const int rows = down * tileRows;
        if (down > 1 && rows - tileRows >= kernel.loops[0])
            continue; // the last tile would have no row
        for (int units = 4; units <= 64; units += 4) {
            for (const int sides : {1, 2}) {
                const std::int64_t across = parts(units * matmuls, sides * tileColumns);
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

double cellMatmulSeconds(const Kernel &kernel) {
    return secondsOf(kernel, cellTile(kernel));
}

std::vector<int> cellMatmulWarps(const Kernel &kernel) {
    const CellTile tile = cellTile(kernel);
    const std::int64_t steps = parts(kernel.loops[2] * bytesOf(kernel.inputs[0].type), 4 * vectorBytes);
    const std::int64_t matmuls = static_cast<std::int64_t>(firstEpilogueInput(kernel)) - 1;
    const std::int64_t tiles = tile.rows / tileRows * parts(tile.units * matmuls, tile.sides * tileColumns);
    if (steps * tile.sides < 16)
        return {4, 8, 2};
    return tiles > mostTiles / 2 ? std::vector<int>{8, 4} : std::vector<int>{8, 16, 4};
}

} // namespace warpwright
