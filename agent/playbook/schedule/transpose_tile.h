// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/transposed_gather.h"

#include <optional>
#include <vector>

/// Kernels that read along one loop and write along another: what a tile in shared memory transposes, and its
/// size.
namespace warpwright {

/// What a kernel's tiles hold. Empty: it has sums, or is contiguous along one loop everywhere.
[[nodiscard]] std::optional<TransposeTile> transposeTileOf(const Kernel &kernel);
/// Tile sizes of the launcher's config, best first.
[[nodiscard]] std::vector<TileSize> tileSizes(const Kernel &kernel, const TransposeTile &tiled);
/// Number of tiles along the loops that are no side of a tile.
[[nodiscard]] std::int64_t planesOf(const Kernel &kernel, std::size_t across);
/// The one condition under which an input is read, which depends on counters alone; -1: always. Empty: there
/// are several, or it depends on memory.
[[nodiscard]] std::optional<int> readConditionOf(const Kernel &kernel, int input);

} // namespace warpwright
