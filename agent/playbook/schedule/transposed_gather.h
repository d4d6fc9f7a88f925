// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>
#include <set>
#include <vector>

/// Results whose images lie with channels last and are read where a step says, and that go where channels lie
/// apart. What is found at a place is computed by threads along the channels, and the values are turned.
namespace warpwright {

/// A pointwise kernel that reads along one loop and writes along another: the places of a tile.
struct TransposeTile {
    std::size_t across = 0; ///< the loop along which `leaves` lie side by side; results do along the last one
    std::set<int> inputs;   ///< that go through shared memory
    /// Instead of leaves: steps that are computed where they are read, whose values go through it
    /// (`turned_values`).
    std::vector<int> values;

    bool operator==(const TransposeTile &) const = default;
};

struct TileSize {
    int columns = 0; ///< side by side where results go
    int across = 0;  ///< side by side where the tile comes from

    bool operator==(const TileSize &) const = default;
};

/// The loop along which something that a step looks up lies side by side, while results go along the last
/// one, and the steps whose values a tile holds. Of a pointwise kernel whose stores go along its last loop.
/// Empty: nothing is looked up so.
[[nodiscard]] std::optional<TransposeTile> transposedGatherOf(const Kernel &kernel);

/// What is computed where it is read.
struct TransposedReads {
    std::vector<bool> isRead; ///< by step: it hangs on what lies across, and on nothing that lies along
    std::vector<int> values;  ///< of these, what others or stores ask for
};
[[nodiscard]] TransposedReads transposedReadsOf(const Kernel &kernel, std::size_t across);

/// Neighbours across that one load takes: 1 where addresses or sizes do not allow more.
[[nodiscard]] int widthAcross(const Kernel &kernel, const TransposeTile &tiled);
/// Packs across that a thread takes, so that it has four elements at a place at least.
[[nodiscard]] int vectorsAcross(int width);

/// That a launcher can choose from, the best first: 256 threads with such packs fill each.
[[nodiscard]] std::vector<TileSize> gatherTileSizes(const Kernel &kernel, const TransposeTile &tiled);

} // namespace warpwright
