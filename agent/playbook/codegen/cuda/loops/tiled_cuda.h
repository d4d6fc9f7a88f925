// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

#include <QString>

#include <optional>
#include <set>
#include <vector>

namespace warpwright {

/// A pointwise kernel that reads along one loop and writes along another: the places of a tile.
struct TiledLoops {
    std::size_t across = 0; ///< the loop along which `leaves` lie side by side; results do along the last one
    std::set<int> leaves;   ///< that go through shared memory
    /// Instead of leaves: steps that are computed where they are read, whose values go through it
    /// (`turned_values`).
    std::vector<int> values;

    bool operator==(const TiledLoops &) const = default;
};

/// Empty: the kernel has sums, or its neighbours are neighbours everywhere.
[[nodiscard]] std::optional<TiledLoops> tiledLoopsOf(const FusedKernel &kernel);

struct TileSize {
    int columns = 0; ///< side by side where results go
    int across = 0;  ///< side by side where the tile comes from

    bool operator==(const TileSize &) const = default;
};
/// That a launcher can choose from, the best first.
[[nodiscard]] std::vector<TileSize> tileSizes(const FusedKernel &kernel, const TiledLoops &tiled);

/// Counters of the loops that are no side of a tile, as lines of its kernel. `index`: their type.
[[nodiscard]] QString planeCounters(const FusedKernel &kernel, std::size_t across, const QString &index);
/// Tiles that lie one behind another: the rounds of these loops.
[[nodiscard]] std::int64_t planesOf(const FusedKernel &kernel, std::size_t across);
/// The function that starts such a kernel, with a switch over its sizes.
[[nodiscard]] QString tileLauncher(const ReferenceGraph &graph, const KernelPlan &plan,
                                   const FusedKernel &kernel, const KernelNames &names,
                                   const std::vector<TileSize> &sizes);

/// Such a kernel as CUDA: each block brings a tile into shared memory with its threads along what is read,
/// and computes it with its threads along what is written.
[[nodiscard]] QString tiledCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                    const FusedKernel &kernel, const KernelNames &names,
                                    const TiledLoops &tiled);

} // namespace warpwright
