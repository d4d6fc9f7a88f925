// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/turned_values.h"

#include <optional>
#include <vector>

/// Kernels that read along one loop and write along another: what a tile in shared memory turns, and
/// how large it is.
namespace warpwright {

/// What a kernel's tiles hold. Empty: it has sums, or its neighbours are neighbours everywhere.
[[nodiscard]] std::optional<TiledLoops> tiledLoopsOf(const FusedKernel &kernel);
/// Sizes of a tile that a launcher can choose from, the best first.
[[nodiscard]] std::vector<TileSize> tileSizes(const FusedKernel &kernel, const TiledLoops &tiled);
/// Tiles that lie one behind another: the rounds of the loops that are no side of a tile.
[[nodiscard]] std::int64_t planesOf(const FusedKernel &kernel, std::size_t across);
/// The one condition under which a leaf is read, which the counters alone decide; -1: always. Empty: there
/// are several, or it hangs on what is read.
[[nodiscard]] std::optional<int> readConditionOf(const FusedKernel &kernel, int leaf);

} // namespace warpwright
