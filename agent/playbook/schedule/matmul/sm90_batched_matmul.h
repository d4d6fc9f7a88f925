// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

namespace warpwright {

constexpr std::int64_t batchedTileColumns = 256;

/// Batched matmuls of ours, in floats, whose second matrix and result lie along the columns: an NCHW
/// convolution of one tap. Tensor cores take floats from shared memory along the reduction only, but from
/// registers as they come, so the columns are what is read into registers.
[[nodiscard]] bool isSm90BatchedMatmul(const Kernel &kernel);

/// Whether our kernel can be that: loops over a batch, rows, columns and the reduction; epilogue operands lie
/// along the columns, or are one for all of a row. `kernel`: the matmul with the consumer's steps and store.
[[nodiscard]] bool canBeSm90BatchedMatmul(const Kernel &kernel);

/// Epilogue operands that are read in vectors.
[[nodiscard]] std::int64_t epilogueVectors(const Kernel &kernel);

/// Rows of a tile, which share each column in registers.
[[nodiscard]] int batchedTileRows(const Kernel &kernel);

} // namespace warpwright
