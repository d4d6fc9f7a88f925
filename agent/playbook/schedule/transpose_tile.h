// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/transposed_gather.h"

#include <optional>
#include <vector>

/// Kernels that read along one loop and write along another: what a tile in shared memory turns, and
/// how large it is.
namespace warpwright {

/// What a kernel's tiles hold. Empty: it has sums, or its neighbours are neighbours everywhere.
[[nodiscard]] std::optional<TransposeTile> transposeTileOf(const Kernel &kernel);
/// Sizes of a tile that a launcher can choose from, the best first.
[[nodiscard]] std::vector<TileSize> tileSizes(const Kernel &kernel, const TransposeTile &tiled);
/// Tiles that lie one behind another: the rounds of the loops that are no side of a tile.
[[nodiscard]] std::int64_t planesOf(const Kernel &kernel, std::size_t across);
/// The one condition under which a leaf is read, which the counters alone decide; -1: always. Empty: there
/// are several, or it hangs on what is read.
[[nodiscard]] std::optional<int> readConditionOf(const Kernel &kernel, int input);

} // namespace warpwright
