// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/tensor_layout.h"

#include <optional>

namespace warpwright {

/// Whether a matrix lies along its `rows`, a loop, and not along what is summed over: the units take halves
/// so.
[[nodiscard]] bool isMnMajor(const Kernel &kernel, const KernelInput &input, std::size_t rows);

/// Of functions that are made of the sums, for all of them: the matrix units wait for these.
[[nodiscard]] double epilogueInstructions(const Kernel &kernel);

/// Whether a kernel of ours can be an own product: canBeSm90BatchedMatmul(), or both matrices lie along what
/// is summed over, what is read beside them lies like the result, its rows or its columns, and there are
/// tiles enough. `kernel`: the product with the reader's steps and store.
[[nodiscard]] bool canBeSm90Matmul(const Kernel &kernel);

/// The product with its second matrix along what is summed over, as the units need floats, out of a copy in
/// `buffer`; and what makes the copy. Empty: it lies so already, or a copy costs about what a pass more
/// would.
struct RepackedMatmul {
    Kernel matmul;
    Kernel copy;
    TensorLayout layout; ///< of the copy
};
[[nodiscard]] std::optional<RepackedMatmul> withRepackedMatrix(const Kernel &kernel, int buffer);

/// How a leaf beside the matrices is read.
enum class EpilogueOperand {
    LikeOutput, ///< neighbours of each row
    PerColumn,  ///< the same for each row of a batch
    PerRow,     ///< one element for each row, for each batch, or for all
};
/// Empty: in none of these ways.
[[nodiscard]] std::optional<EpilogueOperand> epilogueOperandOf(const Kernel &kernel,
                                                               const KernelInput &input);

/// Whether it has two results that lie element by element beside each other: a complex one.
[[nodiscard]] bool areInterleaved(const Kernel &kernel);
/// Whether rows of the result, and of what lies like it, begin at sectors of memory and hold whole packs: a
/// thread finishes four neighbours of the sums as it has them.
[[nodiscard]] bool isVectorAligned(const Kernel &kernel);
/// Else: so many neighbours of sums that were turned.
[[nodiscard]] int epilogueWidth(const Kernel &kernel);

/// Columns of a tile, of two products together: those with which all multiprocessors are done first.
[[nodiscard]] int sm90TileColumns(const Kernel &kernel);
/// Of what the tiles multiply: the share that is asked for.
[[nodiscard]] double tileUtilization(const Kernel &kernel);
/// Whether what the units lose takes no longer than moving memory as large as the result so many times would.
/// Where memory decides, they lose nothing.
[[nodiscard]] bool isWorthPasses(const Kernel &kernel, double times);
/// Whether rows of all matrices that are multiplied begin at sectors of memory.
[[nodiscard]] bool beginAtSectors(const Kernel &kernel);
/// How fast it multiplies, as a share of a library's speed: a guess by edges, tiles and where rows begin.
[[nodiscard]] double sm90ShareOfCublas(const Kernel &kernel);

} // namespace warpwright
