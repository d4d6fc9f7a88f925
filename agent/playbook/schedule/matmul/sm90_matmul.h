// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/tensor_layout.h"

#include <optional>

namespace warpwright {

/// Whether a matrix is contiguous along its `rows`, a loop, and not along the reduction: tensor cores take
/// 16-bit floats so.
[[nodiscard]] bool isMnMajor(const Kernel &kernel, const KernelInput &input, std::size_t rows);

/// Instructions of the epilogue for all sums: the tensor cores wait for these.
[[nodiscard]] double epilogueInstructions(const Kernel &kernel);

/// Whether our SM90 kernel can compute it: canBeSm90BatchedMatmul(), or both matrices lie along the
/// reduction, epilogue operands lie like the result, its rows or its columns, and there are enough tiles.
/// `kernel`: the matmul with the consumer's steps and store.
[[nodiscard]] bool canBeSm90Matmul(const Kernel &kernel);

/// The matmul with its second matrix along the reduction, as tensor cores need floats, from a copy in
/// `buffer`; and the kernel that makes the copy. Empty: it lies so already, or a copy costs about as much as
/// a pass.
struct RepackedMatmul {
    Kernel matmul;
    Kernel copy;
    TensorLayout layout; ///< of the copy
};
[[nodiscard]] std::optional<RepackedMatmul> withRepackedMatrix(const Kernel &kernel, int buffer);

/// How an epilogue operand is read.
enum class EpilogueOperand {
    LikeOutput, ///< adjacent elements of each row
    PerColumn,  ///< the same for each row of a batch
    PerRow,     ///< one element for each row, for each batch, or for all
};
/// Empty: in none of these ways.
[[nodiscard]] std::optional<EpilogueOperand> epilogueOperandOf(const Kernel &kernel,
                                                               const KernelInput &input);

/// Whether it has two results that are interleaved: a complex one.
[[nodiscard]] bool areInterleaved(const Kernel &kernel);
/// Whether rows of the result, and of operands like it, begin at memory sectors and are full vectors: a
/// thread finishes four adjacent sums as it has them.
[[nodiscard]] bool isVectorAligned(const Kernel &kernel);
/// Else: so many adjacent sums, after a transpose.
[[nodiscard]] int epilogueWidth(const Kernel &kernel);

/// Columns of a tile, of two matmuls together: those with which all SMs are done first.
[[nodiscard]] int sm90TileColumns(const Kernel &kernel);
/// The share of the tiles' elements that is in the result.
[[nodiscard]] double tileUtilization(const Kernel &kernel);
/// Whether what the tensor cores lose takes no longer than moving memory as large as the result so many
/// times. Where memory is the bound, they lose nothing.
[[nodiscard]] bool isWorthPasses(const Kernel &kernel, double times);
/// Whether rows of all multiplied matrices begin at memory sectors.
[[nodiscard]] bool beginAtSectors(const Kernel &kernel);
/// Its speed as a share of a library's: a guess by edges, tiles and where rows begin.
[[nodiscard]] double sm90ShareOfCublas(const Kernel &kernel);

} // namespace warpwright
