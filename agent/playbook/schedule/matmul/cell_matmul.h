// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

/// How blocks and warps share the matmul of a time step, isCellMatmul().
namespace warpwright {

/// A block's tile: so many rows of so many columns of each matmul.
struct CellTile {
    int rows = 16;
    int units = 8;
    int sides = 1; ///< warp groups that share its columns

    bool operator==(const CellTile &) const = default;
};
[[nodiscard]] CellTile cellTile(const Kernel &kernel);
/// The time that the matrices take to come from the cache, as often as blocks read them.
[[nodiscard]] double cellMatmulSeconds(const Kernel &kernel);
/// Warps of a block that may share the reduction dimension: the launcher's configs, best expected first.
[[nodiscard]] std::vector<int> cellMatmulWarps(const Kernel &kernel);

} // namespace warpwright
