// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

namespace warpwright {

constexpr std::int64_t batchedTileColumns = 256;

/// Products of ours for each of a batch, in floats, whose second matrix and result lie along the columns: a
/// convolution of one tap of images by rows. The matrix units want floats along what is summed over; from
/// registers they take them as they come, so the columns are what is read into registers.
[[nodiscard]] bool isSm90BatchedMatmul(const Kernel &kernel);

/// Whether our kernel can be that: loops over a batch, rows, columns and what is summed over; what is read
/// beside lies along the columns, or is one for all of a row. `kernel`: the product with the reader's steps
/// and store.
[[nodiscard]] bool canBeSm90BatchedMatmul(const Kernel &kernel);

/// Tensors that are read beside the matrices in packs.
[[nodiscard]] std::int64_t epilogueVectors(const Kernel &kernel);

/// Rows of a tile, whose products each column in registers serves.
[[nodiscard]] int batchedTileRows(const Kernel &kernel);

} // namespace warpwright
