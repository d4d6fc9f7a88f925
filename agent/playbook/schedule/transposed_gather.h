// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>
#include <set>
#include <vector>

/// Gathers from NHWC tensors whose results are stored with strided channels. Threads along the channels
/// compute what is gathered at a position, and the values are transposed.
namespace warpwright {

/// The tile of a pointwise kernel that reads along one loop and writes along another.
struct TransposeTile {
    std::size_t across = 0; ///< the loop along which `inputs` are contiguous; results are along the last one
    std::set<int> inputs;   ///< that go through shared memory
    /// Instead of inputs: steps that are computed where they are read, whose values go through it
    /// (`transposed_gather`).
    std::vector<int> values;

    bool operator==(const TransposeTile &) const = default;
};

struct TileSize {
    int columns = 0; ///< contiguous where results are stored
    int across = 0;  ///< contiguous where the tile is read

    bool operator==(const TileSize &) const = default;
};

/// The loop along which a gather is contiguous while results are along the last one, and the steps whose
/// values a tile holds. Of a pointwise kernel whose stores are along its last loop. Empty: no such gather.
[[nodiscard]] std::optional<TransposeTile> transposedGatherOf(const Kernel &kernel);

/// What is computed where it is read.
struct TransposedReads {
    std::vector<bool> isRead; ///< by step: it depends on reads across, and on none along
    std::vector<int> values;  ///< of these, what other steps or stores use
};
[[nodiscard]] TransposedReads transposedReadsOf(const Kernel &kernel, std::size_t across);

/// Elements across that one load takes: 1 where addresses or sizes do not allow more.
[[nodiscard]] int widthAcross(const Kernel &kernel, const TransposeTile &tiled);
/// Vectors across per thread, so that it has at least four elements at a position.
[[nodiscard]] int vectorsAcross(int width);

/// Of the launcher's config, best first: 256 threads with such vectors fill each.
[[nodiscard]] std::vector<TileSize> gatherTileSizes(const Kernel &kernel, const TransposeTile &tiled);

} // namespace warpwright
