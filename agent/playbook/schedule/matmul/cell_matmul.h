// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

/// How the product of a loop's turn, isCellMatmul(), is shared by blocks and warps.
namespace warpwright {

/// What one block makes: so many rows of so many columns of each product.
struct CellTile {
    int rows = 16;
    int units = 8;
    int sides = 1; ///< groups of warps that share its columns

    bool operator==(const CellTile &) const = default;
};
[[nodiscard]] CellTile cellTile(const Kernel &kernel);
/// What the matrices take to come from the cache, as often as blocks read them.
[[nodiscard]] double cellMatmulSeconds(const Kernel &kernel);
/// Warps of a block that may share what is summed over: the launcher's choices, the most promising first.
[[nodiscard]] std::vector<int> cellMatmulWarps(const Kernel &kernel);

} // namespace warpwright
