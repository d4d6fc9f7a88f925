// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/buffer_layout.h"
#include "agent/playbook/ir/fused_kernel.h"

#include <optional>

namespace warpwright {

/// Whether a matrix lies along its `rows`, a loop, and not along what is summed over: the units take halves
/// so.
[[nodiscard]] bool isTurned(const FusedKernel &kernel, const KernelLeaf &leaf, std::size_t rows);

/// Of functions that are made of the sums, for all of them: the matrix units wait for these.
[[nodiscard]] double tailInstructions(const FusedKernel &kernel);

/// Whether a kernel of ours can be an own product: canBeAcrossProduct(), or both matrices lie along what is
/// summed over, what is read beside them lies like the result, its rows or its columns, and there are tiles
/// enough. `kernel`: the product with the reader's steps and store.
[[nodiscard]] bool canBeOwnProduct(const FusedKernel &kernel);

/// The product with its second matrix along what is summed over, as the units need floats, out of a copy in
/// `buffer`; and what makes the copy. Empty: it lies so already, or a copy costs about what a pass more
/// would.
struct TurnedProduct {
    FusedKernel product;
    FusedKernel copy;
    BufferLayout layout; ///< of the copy
};
[[nodiscard]] std::optional<TurnedProduct> withTurnedMatrix(const FusedKernel &kernel, int buffer);

/// How a leaf beside the matrices is read.
enum class BesideProduct {
    LikeResult, ///< neighbours of each row
    OfColumns,  ///< the same for each row of a batch
    OfRows,     ///< one element for each row, for each batch, or for all
};
/// Empty: in none of these ways.
[[nodiscard]] std::optional<BesideProduct> besideProduct(const FusedKernel &kernel, const KernelLeaf &leaf);

/// Whether it has two results that lie element by element beside each other: a complex one.
[[nodiscard]] bool areBesideEachOther(const FusedKernel &kernel);
/// Whether rows of the result, and of what lies like it, begin at sectors of memory and hold whole packs: a
/// thread finishes four neighbours of the sums as it has them.
[[nodiscard]] bool isInPacks(const FusedKernel &kernel);
/// Else: so many neighbours of sums that were turned.
[[nodiscard]] int wideOf(const FusedKernel &kernel);

/// Columns of a tile, of two products together: those with which all multiprocessors are done first.
[[nodiscard]] int ownTileColumns(const FusedKernel &kernel);
/// Of what the tiles multiply: the share that is asked for.
[[nodiscard]] double usedShare(const FusedKernel &kernel);
/// Whether what the units lose takes no longer than moving memory as large as the result so many times would.
/// Where memory decides, they lose nothing.
[[nodiscard]] bool isWorthPasses(const FusedKernel &kernel, double times);
/// Whether rows of all matrices that are multiplied begin at sectors of memory.
[[nodiscard]] bool beginAtSectors(const FusedKernel &kernel);
/// How fast it multiplies, as a share of a library's speed: a guess by edges, tiles and where rows begin.
[[nodiscard]] double ownShareOfLibrarys(const FusedKernel &kernel);

} // namespace warpwright
